package dev.clockwire.pcie.tlp;

/**
 * The header words of the three packets that make up nearly all traffic, computed without a {@link TlpHeader}; the same
 * words as {@link TlpCodec#word01} and {@link TlpCodec#word23} give.
 */
public final class TlpWords {
    private static final long FOUR_DW = 0x20L << 56;
    private static final long READ = 0;
    private static final long WRITE = 0x40L << 56;
    private static final long COMPLETION_WITH_DATA = 0x4aL << 56;
    private static final long COMPLETION_WITHOUT_DATA = 0x0aL << 56;
    private static final long RELAXED = 0x2000L << 32;

    private TlpWords() {}

    /** Returns DW 0 and 1 of a memory read. */
    public static long read01(long address, int bytes, int requesterId, int tag) {
        return READ | request(address, bytes, requesterId, tag);
    }

    /** Returns DW 0 and 1 of a memory write. */
    public static long write01(long address, int bytes, int requesterId, boolean relaxed) {
        return WRITE | (relaxed ? RELAXED : 0) | request(address, bytes, requesterId, 0);
    }

    /** Returns DW 2 and 3 of a memory request. */
    public static long address23(long address) {
        long word = address & ~3L;
        return word >>> 32 == 0 ? word << 32 : word;
    }

    /** Returns DW 0 and 1 of a completion with data. */
    public static long completion01(long address, int bytes, int bytesToCome, int completerId, int tag) {
        return COMPLETION_WITH_DATA
                | tagHigh(tag)
                | length(address, bytes)
                | (long) completerId << 16
                | (bytesToCome & 0xfff);
    }

    /** Returns DW 0 and 1 of a completion without data. */
    public static long error01(CompletionStatus status, int bytesToCome, int completerId, int tag) {
        return COMPLETION_WITHOUT_DATA
                | tagHigh(tag)
                | (long) completerId << 16
                | (long) status.code() << 13
                | (bytesToCome & 0xfff);
    }

    /** Returns DW 2 of a completion in the upper half. */
    public static long completion23(long address, int requesterId, int tag) {
        return (long) requesterId << 48 | (long) (tag & 0xff) << 40 | (address & 0x7f) << 32;
    }

    private static long request(long address, int bytes, int requesterId, int tag) {
        return (address >>> 32 == 0 ? 0 : FOUR_DW)
                | tagHigh(tag)
                | length(address, bytes)
                | (long) requesterId << 16
                | (long) (tag & 0xff) << 8
                | (long) ByteEnables.last(address, bytes) << 4
                | ByteEnables.first(address, bytes);
    }

    private static long length(long address, int bytes) {
        return (long) (ByteEnables.lengthDw(address, bytes) & 0x3ff) << 32;
    }

    private static long tagHigh(int tag) {
        return (long) (tag >> 9 & 1) << 55 | (long) (tag >> 8 & 1) << 51;
    }
}
