package dev.clockwire.roce.cm;

/**
 * A message or a connection is refused.
 *
 * @param localCommId 0 if the sender has no connection
 * @param message what is refused: 0 REQ, 1 REP, 2 neither
 * @param reason code; see {@link CmReason}
 * @param info what would have been right, as the reason defines it
 */
public record CmRej(
        int localCommId, int remoteCommId, int message, int reason, PrivateData info, PrivateData privateData)
        implements CmMessage {
    /** Bytes of {@link #info} at most. */
    public static final int INFO_BYTES = 72;

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REJ;
    }

    static CmRej read(Bits b, PrivateData data) {
        int length = Math.min(INFO_BYTES, (int) b.get(9, 0, 7));
        return new CmRej(b.int32(0), b.int32(4), (int) b.get(8, 0, 2), b.int16(10), b.data(12, length), data);
    }

    static void write(CmRej m, Bits b) {
        b.put32(0, m.localCommId);
        b.put32(4, m.remoteCommId);
        b.put(8, 0, 2, m.message);
        b.put(9, 0, 7, m.info.length());
        b.put16(10, m.reason);
        b.data(12, m.info.atMost(INFO_BYTES, "the information of a REJ"));
    }
}
