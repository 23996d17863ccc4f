package dev.clockwire.pcie.tlp;

/**
 * How a range of bytes becomes packets. Each method returns the length of the next piece, so a caller walks a range
 * without allocating: {@code for (long a = address; left > 0; a += n, left -= n) n = write(a, left, mps)}.
 *
 * <p>A requester that has to split trims the first piece, so that the later ones start on a cache line (writes) or on
 * 128 bytes (reads, the larger read completion boundary).
 */
public final class TlpSplit {
    /** No memory request crosses a multiple of this many bytes. */
    public static final int PAGE = 4096;

    private static final int WRITE_ALIGN = 64;
    private static final int READ_ALIGN = 128;

    private TlpSplit() {}

    /**
     * Returns the bytes of the next memory write.
     *
     * @param maxPayload maximum payload size, a power of two from 128 to 4096
     */
    public static int write(long address, long bytes, int maxPayload) {
        return request(address, bytes, maxPayload, WRITE_ALIGN);
    }

    /**
     * Returns the bytes of the next memory read.
     *
     * @param maxReadRequest maximum read request size, a power of two from 128 to 4096
     */
    public static int read(long address, long bytes, int maxReadRequest) {
        return request(address, bytes, maxReadRequest, READ_ALIGN);
    }

    /**
     * Returns the bytes of the next completion of a read.
     *
     * @param chunk the boundary at which this completer ends a completion: its read completion boundary, or the
     *     maximum payload size if it joins as much as it may; a power of two from 64 to 4096
     */
    public static int completion(long address, long bytes, int chunk) {
        return (int) Math.min(bytes, chunk - (address & (chunk - 1)));
    }

    /** Returns into how many completions {@link #completion} splits a read; a read of no bytes has one. */
    public static int completions(long address, long bytes, int chunk) {
        return bytes == 0 ? 1 : (int) (((address & chunk - 1) + bytes + chunk - 1) / chunk);
    }

    /** Returns the 16-byte data credits that a packet with these bytes uses. */
    public static int dataCredits(int lengthDw) {
        return (lengthDw + 3) >> 2;
    }

    private static int request(long address, long bytes, int max, int align) {
        long page = Math.min(bytes, PAGE - (address & PAGE - 1));
        if (page + (address & 3) <= max) {
            return (int) page;
        }
        return (int) (max - (address & align - 1));
    }
}
