package dev.clockwire.nic.context;

/**
 * A registered region as the device knows it. Addresses are unsigned.
 *
 * @param key local and remote key
 * @param pd protection domain
 * @param va first address
 * @param length bytes
 * @param access bits of the access flags
 */
public record MemoryKey(int key, int pd, long va, long length, int access) {
    /** Whether the range lies inside the region; a range that wraps around 2^64 does not. */
    public boolean covers(long at, long bytes) {
        long offset = at - va;
        return Long.compareUnsigned(at, va) >= 0
                && Long.compareUnsigned(offset, length) <= 0
                && Long.compareUnsigned(bytes, length - offset) <= 0;
    }
}
