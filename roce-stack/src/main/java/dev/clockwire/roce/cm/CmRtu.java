package dev.clockwire.roce.cm;

/** The reply has been received, the connection can be used. */
public record CmRtu(int localCommId, int remoteCommId, PrivateData privateData) implements CmMessage {
    @Override
    public CmAttribute attribute() {
        return CmAttribute.RTU;
    }
}
