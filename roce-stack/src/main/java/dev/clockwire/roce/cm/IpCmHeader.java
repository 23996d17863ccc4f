package dev.clockwire.roce.cm;

import dev.clockwire.roce.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * What a request of RDMA over IP carries in front of the application's private data: who asks whom.
 *
 * @param sourcePort the client's port
 * @param source the client's address
 * @param destination the address that it asks for
 */
public record IpCmHeader(int sourcePort, Gid source, Gid destination) {
    /** Bytes of the header. */
    public static final int BYTES = 36;

    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    /** Returns a request's private data: this header and what the application sends. */
    public PrivateData with(PrivateData application) {
        byte[] head = new byte[BYTES];
        Bits b = new Bits(head, 0);
        b.put(1, 0, 4, source.isIpv4() ? IPV4 : IPV6);
        b.put16(2, sourcePort);
        put(b, 4, source);
        put(b, 20, destination);
        return application.behind(head);
    }

    private static void put(Bits b, int at, Gid gid) {
        if (gid.isIpv4()) {
            b.put32(at + 12, gid.ipv4());
        } else {
            b.put64(at, gid.hi());
            b.put64(at + 8, gid.lo());
        }
    }

    /** Returns the header of a request's private data, null if it has none of a known version. */
    public static @Nullable IpCmHeader read(PrivateData data) {
        Bits b = new Bits(data.bytes(BYTES), 0);
        int version = (int) b.get(1, 0, 4);
        if (b.int8(0) != 0 || (version != IPV4 && version != IPV6)) {
            return null;
        }
        return new IpCmHeader(b.int16(2), get(b, 4, version), get(b, 20, version));
    }

    private static Gid get(Bits b, int at, int version) {
        return version == IPV4 ? Gid.ofIpv4(b.int32(at + 12)) : new Gid(b.int64(at), b.int64(at + 8));
    }

    /** Returns what the application sent behind the header. */
    public static PrivateData application(PrivateData data) {
        return data.from(BYTES);
    }
}
