package dev.clockwire.nic.ether;

/**
 * Internet checksums (RFC 1071) of IPv4 headers, TCP and UDP, as an adapter makes and checks them for its driver. Fragments have no checksum
 * of their own above IP, and a UDP datagram over IPv4 may have none.
 */
public final class Checksums {
    /** The checksum of the IPv4 header is right; over IPv6 there is none, which counts as right. */
    static final int L3_OK = 1 << 1;
    /** The checksum of TCP or UDP is right. */
    static final int L4_OK = 1 << 2;
    /** There is an IP header, so that the others mean something. */
    static final int IP = 1 << 8;
    /** There is TCP or UDP with a checksum. */
    static final int L4 = 1 << 9;

    private static final int MASK = 0xFFFF;
    private static final int TCP_AT = 16;
    private static final int UDP_AT = 6;
    private static final int IPV4_AT = 10;
    private static final int IPV6_BYTES = 40;

    private Checksums() {}

    /** Returns the one's complement sum of bytes, 16 bits; the first byte is the upper half of the first word. */
    public static int sum(byte[] b, int from, int to) {
        long sum = 0;
        for (int i = from; i + 1 < to; i += 2) {
            sum += (b[i] & 0xFF) << 8 | (b[i + 1] & 0xFF);
        }
        if ((to - from & 1) != 0) {
            sum += (b[to - 1] & 0xFF) << 8;
        }
        return fold(sum);
    }

    /** Returns a sum of 16-bit words, or of such sums, as 16 bits. */
    public static int fold(long sum) {
        long s = sum;
        while (s > MASK) {
            s = (s & MASK) + (s >>> 16);
        }
        return (int) s;
    }

    /** Puts checksums into a frame to be sent, as far as it has places for them; returns whether it has one. */
    static boolean fill(EthFrame frame, FrameFields f, boolean l3, boolean l4) {
        byte[] b = frame.bytes;
        boolean filled = false;
        int transport = transportAt(frame, f);
        if (l3 && f.etherType == FrameFields.IPV4 && transport >= 0) {
            put(b, f.ipAt + IPV4_AT, 0);
            put(b, f.ipAt + IPV4_AT, ~sum(b, f.ipAt, transport));
            filled = true;
        }
        int at = l4 ? fieldAt(frame, f, transport) : -1;
        if (at >= 0) {
            put(b, at, 0);
            int check = ~transportSum(frame, f, transport) & MASK;
            put(b, at, check == 0 && f.protocol == FrameFields.UDP ? MASK : check);
            filled = true;
        }
        return filled;
    }

    /** Returns what of a received frame is right: bits of this class. */
    static int check(EthFrame frame, FrameFields f) {
        int transport = transportAt(frame, f);
        if (transport < 0) {
            return 0;
        }
        int found = IP;
        boolean four = f.etherType == FrameFields.IPV4;
        if (!four || sum(frame.bytes, f.ipAt, transport) == MASK) {
            found |= L3_OK;
        }
        int at = fieldAt(frame, f, transport);
        boolean none = at >= 0 && four && f.protocol == FrameFields.UDP && word(frame.bytes, at) == 0;
        if (at >= 0 && !none) {
            found |= L4 | (transportSum(frame, f, transport) == MASK ? L4_OK : 0);
        }
        return found;
    }

    /** Returns where the header behind IP begins, -1 if there is no whole IP header. */
    private static int transportAt(EthFrame frame, FrameFields f) {
        if (f.etherType == FrameFields.IPV6) {
            return frame.length >= f.ipAt + IPV6_BYTES ? f.ipAt + IPV6_BYTES : -1;
        }
        if (f.etherType != FrameFields.IPV4 || f.protocol < 0) {
            return -1;
        }
        int header = (frame.bytes[f.ipAt] & 15) * 4;
        return header >= 20 && frame.length >= f.ipAt + header ? f.ipAt + header : -1;
    }

    /** Returns where the checksum of TCP or UDP stands, -1 without one. */
    private static int fieldAt(EthFrame frame, FrameFields f, int transport) {
        if (transport < 0 || f.srcPort < 0) {
            return -1;
        }
        int at = transport + (f.protocol == FrameFields.TCP ? TCP_AT : UDP_AT);
        int end = transport + bytes(frame, f, transport);
        return at + 2 <= end && end <= frame.length ? at : -1;
    }

    /** Returns the bytes behind IP, as its header says. */
    private static int bytes(EthFrame frame, FrameFields f, int transport) {
        return f.etherType == FrameFields.IPV4
                ? word(frame.bytes, f.ipAt + 2) - (transport - f.ipAt)
                : word(frame.bytes, f.ipAt + 4);
    }

    /** Returns the sum over pseudo header, header and data. */
    private static int transportSum(EthFrame frame, FrameFields f, int transport) {
        byte[] b = frame.bytes;
        int bytes = bytes(frame, f, transport);
        int addresses =
                f.etherType == FrameFields.IPV4 ? sum(b, f.ipAt + 12, f.ipAt + 20) : sum(b, f.ipAt + 8, f.ipAt + 40);
        return fold((long) addresses + f.protocol + bytes + sum(b, transport, transport + bytes));
    }

    private static int word(byte[] b, int at) {
        return (b[at] & 0xFF) << 8 | (b[at + 1] & 0xFF);
    }

    private static void put(byte[] b, int at, int value) {
        b[at] = (byte) (value >>> 8);
        b[at + 1] = (byte) value;
    }
}
