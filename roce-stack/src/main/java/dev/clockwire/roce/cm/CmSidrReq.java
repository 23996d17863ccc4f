package dev.clockwire.roce.cm;

/**
 * Asks for the queue pair of a datagram service.
 *
 * @param localCommId the asker's number for the question
 * @param pkey partition
 * @param serviceId of the service; see {@link ServiceId}
 * @param privateData with RDMA over IP the {@link IpCmHeader} in front
 */
public record CmSidrReq(int localCommId, int pkey, long serviceId, PrivateData privateData) implements CmMessage {
    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REQ;
    }

    @Override
    public int remoteCommId() {
        return 0;
    }

    static CmSidrReq read(Bits b, PrivateData data) {
        return new CmSidrReq(b.int32(0), b.int16(4), b.int64(8), data);
    }

    static void write(CmSidrReq m, Bits b) {
        b.put32(0, m.localCommId);
        b.put16(4, m.pkey);
        b.put64(8, m.serviceId);
    }
}
