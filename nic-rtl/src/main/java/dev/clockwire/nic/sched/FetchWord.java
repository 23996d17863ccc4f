package dev.clockwire.nic.sched;

/** Words between scheduler and fetch engine: QPN in bits 55:32, block index in 31:16, number of blocks in 15:0; bit 62 is the engine's own. */
public final class FetchWord {
    /** Number of blocks that means: read the doorbell record instead. */
    public static final int RECORD = 0xFFFF;

    private static final long AGAIN = 1L << 62;
    private static final int QPN = 0xFFFFFF;

    private FetchWord() {}

    /** Packs a word. */
    public static long of(int qpn, int index, int blocks) {
        return ((long) qpn << 32) | ((long) (index & 0xFFFF) << 16) | (blocks & 0xFFFF);
    }

    /** Returns the queue pair. */
    public static int qpn(long word) {
        return (int) (word >>> 32) & QPN;
    }

    /** Returns the block index, or the producer index that a doorbell record gave. */
    public static int index(long word) {
        return (int) (word >>> 16) & 0xFFFF;
    }

    /** Marks a read that is tried a second time. */
    public static long again(long word) {
        return word | AGAIN;
    }

    /** Whether a read was tried a second time. */
    public static boolean isAgain(long word) {
        return (word & AGAIN) != 0;
    }

    /** Returns the number of blocks. */
    public static int blocks(long word) {
        return (int) word & 0xFFFF;
    }
}
