package dev.clockwire.nic.doorbell;

/**
 * An armed completion queue on its way to the completion unit: CQN in bits 23:0, entries seen in 47:24, sequence number in 49:48, solicited only
 * in 50, only the lower eight bits of what was seen and no sequence number in 51.
 */
public final class ArmWord {
    private static final int SEEN = 24;
    private static final int SEQUENCE = 48;
    private static final int ONLY = 50;
    private static final int SHORT = 51;
    private static final int SHORT_MASK = 0xFF;
    private static final int MASK = 0xFFFFFF;

    private ArmWord() {}

    /** Packs a word. */
    public static long of(int cqn, int seen, int sequence, boolean solicitedOnly) {
        return (solicitedOnly ? 1L << ONLY : 0)
                | (long) (sequence & 3) << SEQUENCE
                | (long) (seen & MASK) << SEEN
                | (cqn & MASK);
    }

    /** Packs a word of the article, which has eight bits for what was seen. */
    public static long ofShort(int cqn, int seen) {
        return 1L << SHORT | of(cqn, seen & SHORT_MASK, 0, false);
    }

    /** Returns what bits of the entries seen are known. */
    public static int known(long word) {
        return (word >>> SHORT & 1) != 0 ? SHORT_MASK : MASK;
    }

    /** Returns the queue. */
    public static int cqn(long word) {
        return (int) word & MASK;
    }

    /** Returns the entries seen, 24 bits. */
    public static int seen(long word) {
        return (int) (word >>> SEEN) & MASK;
    }

    /** Returns the sequence number, 2 bits: the events that the driver has taken; -1 without one. */
    public static int sequence(long word) {
        return (word >>> SHORT & 1) != 0 ? -1 : (int) (word >>> SEQUENCE) & 3;
    }

    /** Whether only solicited and failed completions count. */
    public static boolean solicitedOnly(long word) {
        return (word >>> ONLY & 1) != 0;
    }
}
