package dev.clockwire.bench.live;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The address resolution protocol of IPv4, as far as a host must answer. */
final class Arp {
    static final int ETHERTYPE = 0x0806;

    private static final int BYTES = 42;
    private static final int PADDED = 60;
    private static final int REQUEST = 1;
    private static final int REPLY = 2;
    private static final long ETHERNET_IPV4 = 0x0001_0800_0604L;

    private Arp() {}

    /** Returns the Ethernet type of a frame, -1 if it is too short to have one. */
    static int etherType(ByteBuffer frame) {
        return frame.limit() < 14 ? -1 : frame.getShort(12) & 0xFFFF;
    }

    /** Returns whether this is a request or reply that tells a sender's addresses. */
    static boolean isArp(ByteBuffer frame) {
        return frame.limit() >= BYTES && etherType(frame) == ETHERTYPE && frame.getLong(14) >>> 16 == ETHERNET_IPV4;
    }

    /** Returns the IPv4 address of the sender. */
    static int senderIp(ByteBuffer frame) {
        return frame.getInt(28);
    }

    /** Returns the Ethernet address of the sender. */
    static long senderMac(ByteBuffer frame) {
        return mac(frame, 22);
    }

    /**
     * Answers a request.
     *
     * @return the frame to send, null if nobody asked for this address
     */
    static @Nullable ByteBuffer answer(ByteBuffer frame, int ip, long mac) {
        if (!isArp(frame) || frame.getShort(20) != REQUEST || frame.getInt(38) != ip) {
            return null;
        }
        ByteBuffer out = ByteBuffer.allocate(PADDED);
        putMac(out, 0, senderMac(frame));
        putMac(out, 6, mac);
        out.putShort(12, (short) ETHERTYPE).putLong(14, (ETHERNET_IPV4 << 16) | REPLY);
        putMac(out, 22, mac);
        out.putInt(28, ip);
        putMac(out, 32, senderMac(frame));
        out.putInt(38, senderIp(frame));
        return out;
    }

    private static long mac(ByteBuffer b, int at) {
        return ((b.getShort(at) & 0xFFFFL) << 32) | (b.getInt(at + 2) & 0xFFFF_FFFFL);
    }

    private static void putMac(ByteBuffer b, int at, long mac) {
        b.putShort(at, (short) (mac >>> 32)).putInt(at + 2, (int) mac);
    }
}
