package dev.clockwire.roce.cm;

/** The answer to a request to disconnect. */
public record CmDrep(int localCommId, int remoteCommId, PrivateData privateData) implements CmMessage {
    @Override
    public CmAttribute attribute() {
        return CmAttribute.DREP;
    }
}
