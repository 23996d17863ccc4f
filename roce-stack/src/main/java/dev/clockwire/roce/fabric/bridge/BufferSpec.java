package dev.clockwire.roce.fabric.bridge;

/**
 * The packet buffer of a switch. Each (port, lossless class) has a reserve, then takes from what all share as long as it holds less than
 * alpha x the shared bytes that are free, then goes into its headroom and pauses its sender, then loses frames.
 *
 * @param bytes all of it, up to 4 GiB
 * @param cellBytes a frame occupies whole cells, 1 to 4096; 1 counts bytes
 * @param reserve bytes of each (port, class) that nobody else can take
 * @param resumeOffset bytes below the threshold at which a paused sender is let go
 * @param lossyReserve bytes of each port for frames of lossy classes that wait for it
 * @param lossyAlphaLog2 an egress queue of a lossy class drops above 2^n x the free shared bytes, -10 to 10
 */
public record BufferSpec(
        long bytes, int cellBytes, int reserve, int resumeOffset, int lossyReserve, int lossyAlphaLog2) {
    static final int MAX_ALPHA_LOG2 = 10;
    private static final long MAX_BYTES = 1L << 32;
    private static final int MAX_CELL = 4096;
    private static final int MAX_PART = 1 << 30;

    /** Checks the ranges. */
    public BufferSpec {
        Ranges.range("switch buffer in bytes", bytes, 1, MAX_BYTES);
        Ranges.range("switch buffer cell in bytes", cellBytes, 1, MAX_CELL);
        Ranges.range("reserve of a class in bytes", reserve, 0, MAX_PART);
        Ranges.range("resume offset in bytes", resumeOffset, 0, MAX_PART);
        Ranges.range("reserve of lossy classes in bytes", lossyReserve, 0, MAX_PART);
        Ranges.range("log2 of the lossy alpha", lossyAlphaLog2, -MAX_ALPHA_LOG2, MAX_ALPHA_LOG2);
    }

    /** Returns a buffer of some bytes without cells, 4 KiB reserve and 3 KiB resume offset (HPCC's), 4 KiB for lossy classes with alpha 1. */
    public static BufferSpec of(long bytes) {
        return new BufferSpec(bytes, 1, 4096, 3072, 4096, 0);
    }

    /** Returns the bytes that a frame occupies. */
    int occupied(int frameBytes) {
        return (frameBytes + cellBytes - 1) / cellBytes * cellBytes;
    }
}
