package dev.clockwire.roce.verbs;

/**
 * A piece of local memory ({@code ibv_sge}). Whether key and range fit is found when the work is done.
 *
 * @param address first byte, as the region counts addresses
 * @param length bytes, 0 to 2^31
 * @param lkey local key
 */
public record ScatterGather(long address, long length, int lkey) {
    static final long MAX_LENGTH = 1L << 31;

    /** Checks the length. */
    public ScatterGather {
        if (length < 0 || length > MAX_LENGTH) {
            throw new VerbsException(Errno.EINVAL, "post", "length " + length + " of an SGE: must be 0..2147483648");
        }
    }

    /** Returns all of a region. */
    public static ScatterGather of(MemoryRegion region) {
        return of(region, 0, region.length());
    }

    /**
     * Returns a part of a region.
     *
     * @param offset from the start of the region, in bytes
     * @throws VerbsException EINVAL if the part is not inside the region
     */
    public static ScatterGather of(MemoryRegion region, long offset, long length) {
        if (offset < 0 || length < 0 || length > region.length() - offset) {
            String text = "bytes " + offset + ".." + (offset + length) + " of a region: it has 0.." + region.length();
            throw new VerbsException(Errno.EINVAL, "post", text);
        }
        return new ScatterGather(region.address() + offset, length, region.lkey());
    }
}
