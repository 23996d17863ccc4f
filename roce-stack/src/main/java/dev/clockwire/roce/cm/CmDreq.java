package dev.clockwire.roce.cm;

/**
 * A request to disconnect.
 *
 * @param remoteQpn the queue pair of the receiver of this message
 */
public record CmDreq(int localCommId, int remoteCommId, int remoteQpn, PrivateData privateData) implements CmMessage {
    @Override
    public CmAttribute attribute() {
        return CmAttribute.DREQ;
    }
}
