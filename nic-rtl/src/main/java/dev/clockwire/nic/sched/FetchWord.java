package dev.clockwire.nic.sched;

/** Words between scheduler and fetch engine: QPN in bits 63:32, block index in 31:16, number of blocks in 15:0. */
public final class FetchWord {
    /** Number of blocks that means: read the doorbell record instead. */
    public static final int RECORD = 0xFFFF;

    private FetchWord() {}

    /** Packs a word. */
    public static long of(int qpn, int index, int blocks) {
        return ((long) qpn << 32) | ((long) (index & 0xFFFF) << 16) | (blocks & 0xFFFF);
    }

    /** Returns the queue pair. */
    public static int qpn(long word) {
        return (int) (word >>> 32);
    }

    /** Returns the block index, or the producer index that a doorbell record gave. */
    public static int index(long word) {
        return (int) (word >>> 16) & 0xFFFF;
    }

    /** Returns the number of blocks. */
    public static int blocks(long word) {
        return (int) word & 0xFFFF;
    }
}
