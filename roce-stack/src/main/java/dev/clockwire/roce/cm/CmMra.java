package dev.clockwire.roce.cm;

/**
 * A message has been received and its answer takes longer.
 *
 * @param message 0 REQ, 1 REP, 2 LAP
 * @param serviceTimeout code of the time that the answer takes, 5 bits
 */
public record CmMra(int localCommId, int remoteCommId, int message, int serviceTimeout, PrivateData privateData)
        implements CmMessage {
    @Override
    public CmAttribute attribute() {
        return CmAttribute.MRA;
    }
}
