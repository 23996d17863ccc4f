package dev.clockwire.roce.cm;

/**
 * Answers which queue pair serves datagrams.
 *
 * @param remoteCommId the asker's number for the question
 * @param status 0 if there is one; see {@link SidrAnswer}
 * @param qpn the queue pair
 * @param serviceId that was asked for
 * @param qkey the queue pair's key
 * @param info more about a refusal
 * @param privateData for the application
 */
public record CmSidrRep(
        int remoteCommId, int status, int qpn, long serviceId, int qkey, PrivateData info, PrivateData privateData)
        implements CmMessage {
    private static final int INFO = 24;
    private static final int INFO_BYTES = 72;

    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REP;
    }

    @Override
    public int localCommId() {
        return 0;
    }

    static CmSidrRep read(Bits b, PrivateData data) {
        int length = Math.min(INFO_BYTES, b.int8(5));
        return new CmSidrRep(b.int32(0), b.int8(4), b.int24(8), b.int64(12), b.int32(20), b.data(INFO, length), data);
    }

    static void write(CmSidrRep m, Bits b) {
        b.put32(0, m.remoteCommId);
        b.put8(4, m.status);
        b.put8(5, m.info.length());
        b.put24(8, m.qpn);
        b.put64(12, m.serviceId);
        b.put32(20, m.qkey);
        b.data(INFO, m.info.atMost(INFO_BYTES, "the information of a SIDR_REP"));
    }
}
