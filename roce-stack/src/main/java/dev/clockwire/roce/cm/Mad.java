package dev.clockwire.roce.cm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A management datagram of the connection manager: 256 bytes, the payload of a UD packet between queue pairs 1.
 *
 * @param transactionId an answer has that of what it answers
 */
public record Mad(long transactionId, CmMessage message) {
    /** Bytes of a datagram. */
    public static final int BYTES = 256;

    /** Queue key of every queue pair 1. */
    public static final int QKEY = 0x8001_0000;

    private static final int HEADER = 24;
    private static final int VERSIONS = 0x0107_0203; // base version 1, class 7, class version 2, method Send

    /** Writes the datagram. */
    public void encode(byte[] to, int off) {
        Arrays.fill(to, off, off + BYTES, (byte) 0);
        Bits header = new Bits(to, off);
        header.put32(0, VERSIONS);
        header.put64(8, transactionId);
        header.put16(16, message.attribute().id());
        Bits b = new Bits(to, off + HEADER);
        if (message instanceof CmReq req) {
            CmReq.write(req, b);
        } else if (message instanceof CmRep rep) {
            CmRep.write(rep, b);
        } else if (message instanceof CmRej rej) {
            CmRej.write(rej, b);
        } else if (message instanceof CmSidrReq ask) {
            CmSidrReq.write(ask, b);
        } else if (message instanceof CmSidrRep answer) {
            CmSidrRep.write(answer, b);
        } else {
            writeShort(b);
        }
        CmAttribute attribute = message.attribute();
        b.data(attribute.privateAt(), message.privateData().atMost(attribute.privateBytes(), "a " + attribute));
    }

    private void writeShort(Bits b) {
        b.put32(0, message.localCommId());
        b.put32(4, message.remoteCommId());
        if (message instanceof CmDreq dreq) {
            b.put24(8, dreq.remoteQpn());
        } else if (message instanceof CmMra mra) {
            b.put(8, 0, 2, mra.message());
            b.put(9, 0, 5, mra.serviceTimeout());
        }
    }

    /** Returns the datagram in some bytes, null if they are none of the connection manager, or one of a kind that is not known here. */
    public static @Nullable Mad decode(byte[] from, int off, int length) {
        if (length < BYTES) {
            return null;
        }
        Bits header = new Bits(from, off);
        CmAttribute attribute = CmAttribute.find(header.int16(16));
        if (header.int32(0) != VERSIONS || attribute == null) {
            return null;
        }
        return new Mad(header.int64(8), message(attribute, new Bits(from, off + HEADER)));
    }

    private static CmMessage message(CmAttribute attribute, Bits b) {
        PrivateData data = b.data(attribute.privateAt(), attribute.privateBytes());
        int local = b.int32(0);
        int remote = b.int32(4);
        return switch (attribute) {
            case REQ -> CmReq.read(b, data);
            case REP -> CmRep.read(b, data);
            case REJ -> CmRej.read(b, data);
            case MRA -> new CmMra(local, remote, (int) b.get(8, 0, 2), (int) b.get(9, 0, 5), data);
            case RTU -> new CmRtu(local, remote, data);
            case DREQ -> new CmDreq(local, remote, b.int24(8), data);
            case DREP -> new CmDrep(local, remote, data);
            case SIDR_REQ -> CmSidrReq.read(b, data);
            case SIDR_REP -> CmSidrRep.read(b, data);
        };
    }
}
