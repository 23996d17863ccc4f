package dev.clockwire.roce.transport;

/** Arithmetic of packet sequence numbers: 24 bits, modulo 2^24. A PSN is an int of 0 to {@link #MASK}. */
public final class Psn {
    /** The largest PSN, and the mask of its bits. */
    public static final int MASK = 0xFF_FFFF;

    /** Half of all PSNs: the most that a requester may have unacknowledged. */
    public static final int WINDOW = 1 << 23;

    private Psn() {}

    /** Returns {@code psn + count} modulo 2^24; {@code count} may be negative. */
    public static int plus(int psn, int count) {
        return (psn + count) & MASK;
    }

    /**
     * Compares two PSNs that lie less than half the circle apart.
     *
     * @return negative if {@code a} is older than {@code b}, 0 if equal, positive if newer
     */
    public static int compare(int a, int b) {
        return (a - b) << 8;
    }

    /** Returns how many steps lead from {@code from} up to {@code to}: 0 to 2^24 - 1. */
    public static int distance(int from, int to) {
        return (to - from) & MASK;
    }

    /** Tells whether {@code psn} is one of the {@code count} PSNs from {@code first} on. */
    public static boolean inRange(int psn, int first, int count) {
        return distance(first, psn) < count;
    }

    /**
     * Returns the PSNs that a message takes: one for each path MTU, at least one.
     *
     * @param length bytes of the message, or of the data that a READ asks for
     * @param mtu path MTU in bytes
     */
    public static int count(long length, int mtu) {
        return length <= mtu ? 1 : (int) ((length + mtu - 1) / mtu);
    }
}
