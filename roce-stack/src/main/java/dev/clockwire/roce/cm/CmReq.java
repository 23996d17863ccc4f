package dev.clockwire.roce.cm;

/**
 * A request for a connection.
 *
 * @param localCommId the client's number for the connection
 * @param serviceId what it wants to be connected to; see {@link ServiceId}
 * @param caGuid the client's node
 * @param qkey 0 but for datagrams
 * @param qpn the client's queue pair
 * @param responderResources READs and atomics that the client answers at a time
 * @param initiatorDepth READs and atomics that the client would have under way
 * @param remoteResponseTimeout code of the time within which the server is to answer, 5 bits
 * @param transport 0 RC, 1 UC, 3 other
 * @param flowControl the client honours credits
 * @param startingPsn the PSN of the first packet that the <em>receiver</em> of this request sends
 * @param localResponseTimeout code of the time within which the client answers, 5 bits
 * @param retryCount 3 bits
 * @param pkey partition
 * @param mtu code of the path MTU, 1 to 5
 * @param rdcExists of reliable datagrams
 * @param rnrRetry 3 bits, 7 for ever
 * @param maxCmRetries how often a message of the connection manager is sent again, 4 bits
 * @param srq the client's receives come from a shared queue
 * @param extendedTransport 3 bits, 0
 * @param localEecn of reliable datagrams
 * @param remoteEecn of reliable datagrams
 * @param primary the path
 * @param alternate a path to migrate to
 * @param privateData what is for the application; with RDMA over IP the {@link IpCmHeader} in front
 */
public record CmReq(
        int localCommId,
        long serviceId,
        long caGuid,
        int qkey,
        int qpn,
        int responderResources,
        int initiatorDepth,
        int remoteResponseTimeout,
        int transport,
        boolean flowControl,
        int startingPsn,
        int localResponseTimeout,
        int retryCount,
        int pkey,
        int mtu,
        boolean rdcExists,
        int rnrRetry,
        int maxCmRetries,
        boolean srq,
        int extendedTransport,
        int localEecn,
        int remoteEecn,
        CmPath primary,
        CmPath alternate,
        PrivateData privateData)
        implements CmMessage {
    private static final int PRIMARY = 52;
    private static final int ALTERNATE = 96;

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REQ;
    }

    @Override
    public int remoteCommId() {
        return 0;
    }

    static CmReq read(Bits b, PrivateData data) {
        return new CmReq(
                b.int32(0),
                b.int64(8),
                b.int64(16),
                b.int32(28),
                b.int24(32),
                b.int8(35),
                b.int8(39),
                (int) b.get(43, 0, 5),
                (int) b.get(43, 5, 2),
                b.flag(43, 7),
                b.int24(44),
                (int) b.get(47, 0, 5),
                (int) b.get(47, 5, 3),
                b.int16(48),
                (int) b.get(50, 0, 4),
                b.flag(50, 4),
                (int) b.get(50, 5, 3),
                (int) b.get(51, 0, 4),
                b.flag(51, 4),
                (int) b.get(51, 5, 3),
                b.int24(36),
                b.int24(40),
                CmPath.read(b, PRIMARY),
                CmPath.read(b, ALTERNATE),
                data);
    }

    static void write(CmReq m, Bits b) {
        b.put32(0, m.localCommId);
        b.put64(8, m.serviceId);
        b.put64(16, m.caGuid);
        b.put32(28, m.qkey);
        b.put24(32, m.qpn);
        b.put8(35, m.responderResources);
        b.put24(36, m.localEecn);
        b.put8(39, m.initiatorDepth);
        b.put24(40, m.remoteEecn);
        b.put(43, 0, 5, m.remoteResponseTimeout);
        b.put(43, 5, 2, m.transport);
        b.flag(43, 7, m.flowControl);
        b.put24(44, m.startingPsn);
        b.put(47, 0, 5, m.localResponseTimeout);
        b.put(47, 5, 3, m.retryCount);
        b.put16(48, m.pkey);
        b.put(50, 0, 4, m.mtu);
        b.flag(50, 4, m.rdcExists);
        b.put(50, 5, 3, m.rnrRetry);
        b.put(51, 0, 4, m.maxCmRetries);
        b.flag(51, 4, m.srq);
        b.put(51, 5, 3, m.extendedTransport);
        m.primary.write(b, PRIMARY);
        m.alternate.write(b, ALTERNATE);
    }
}
