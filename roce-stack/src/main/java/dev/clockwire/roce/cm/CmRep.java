package dev.clockwire.roce.cm;

/**
 * The reply to a request.
 *
 * @param localCommId the server's number for the connection
 * @param remoteCommId the client's
 * @param qkey 0 but for datagrams
 * @param qpn the server's queue pair
 * @param startingPsn the PSN of the first packet that the <em>receiver</em> of this reply sends
 * @param responderResources READs and atomics that the server answers at a time
 * @param initiatorDepth READs and atomics that the server has under way at most
 * @param targetAckDelay code of the time until the server acknowledges, 5 bits
 * @param failover 2 bits, 0: no alternate path was asked for
 * @param flowControl the server honours credits
 * @param rnrRetry 3 bits, 7 for ever
 * @param srq the server's receives come from a shared queue
 * @param eecn of reliable datagrams
 * @param caGuid the server's node
 */
public record CmRep(
        int localCommId,
        int remoteCommId,
        int qkey,
        int qpn,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int targetAckDelay,
        int failover,
        boolean flowControl,
        int rnrRetry,
        boolean srq,
        int eecn,
        long caGuid,
        PrivateData privateData)
        implements CmMessage {
    @Override
    public CmAttribute attribute() {
        return CmAttribute.REP;
    }

    static CmRep read(Bits b, PrivateData data) {
        return new CmRep(
                b.int32(0),
                b.int32(4),
                b.int32(8),
                b.int24(12),
                b.int24(20),
                b.int8(24),
                b.int8(25),
                (int) b.get(26, 0, 5),
                (int) b.get(26, 5, 2),
                b.flag(26, 7),
                (int) b.get(27, 0, 3),
                b.flag(27, 3),
                b.int24(16),
                b.int64(28),
                data);
    }

    static void write(CmRep m, Bits b) {
        b.put32(0, m.localCommId);
        b.put32(4, m.remoteCommId);
        b.put32(8, m.qkey);
        b.put24(12, m.qpn);
        b.put24(16, m.eecn);
        b.put24(20, m.startingPsn);
        b.put8(24, m.responderResources);
        b.put8(25, m.initiatorDepth);
        b.put(26, 0, 5, m.targetAckDelay);
        b.put(26, 5, 2, m.failover);
        b.flag(26, 7, m.flowControl);
        b.put(27, 0, 3, m.rnrRetry);
        b.flag(27, 3, m.srq);
        b.put64(28, m.caGuid);
    }
}
