package dev.clockwire.sim.mem;

/**
 * Who accesses memory from outside of the host's cores, in a {@code long} that requests carry beside them, never on a wire:
 * kind in bits 62 and 63, device in bits 56 to 60, queue pair in bits 32 to 55, key in bits 0 to 31. Bit 61 says that the device has work of its
 * own on the queue pair, which no program posted.
 */
public final class MemoryUser {
    /** Nobody said. */
    public static final long NONE = 0;

    private static final int KIND_SHIFT = 62;
    private static final int DEVICE_SHIFT = 56;
    private static final int QPN_SHIFT = 32;
    private static final int MAX_DEVICE = 0x1F;
    private static final long OFFLOAD = 1L << 61;
    private static final int MAX_QPN = 0xFF_FFFF;
    private static final long FUNCTION = 1;
    private static final long WORK = 2;
    private static final long PEER = 3;

    private MemoryUser() {}

    /** A device for a work request of a queue pair, by a local key. */
    public static long work(int device, int qpn, int lkey) {
        return pack(WORK, device, qpn, lkey);
    }

    /** A device for a work request of a queue pair that a program posted, or for one of its own. */
    public static long offload(int device, int qpn, int lkey) {
        return work(device, qpn, lkey) | OFFLOAD;
    }

    /** A device for the peer of a queue pair, by a remote key. */
    public static long peer(int device, int qpn, int rkey) {
        return pack(PEER, device, qpn, rkey);
    }

    /** A PCIe function of which no more is known. */
    public static long function(int requesterId) {
        return pack(FUNCTION, 0, 0, requesterId);
    }

    private static long pack(long kind, int device, int qpn, int key) {
        return kind << KIND_SHIFT
                | (long) (device & MAX_DEVICE) << DEVICE_SHIFT
                | (long) (qpn & MAX_QPN) << QPN_SHIFT
                | (key & 0xFFFF_FFFFL);
    }

    static boolean isWork(long user) {
        return user >>> KIND_SHIFT == WORK;
    }

    /** Whether nothing but a posted work request lets the device in. */
    static boolean needsWork(long user) {
        return isWork(user) && (user & OFFLOAD) == 0;
    }

    static boolean isPeer(long user) {
        return user >>> KIND_SHIFT == PEER;
    }

    static int device(long user) {
        return (int) (user >>> DEVICE_SHIFT) & MAX_DEVICE;
    }

    static int qpn(long user) {
        return (int) (user >>> QPN_SHIFT) & MAX_QPN;
    }

    static int key(long user) {
        return (int) user;
    }
}
