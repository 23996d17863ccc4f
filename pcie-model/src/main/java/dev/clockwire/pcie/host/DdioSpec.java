package dev.clockwire.pcie.host;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The last-level cache as devices use it: what they write goes into a few of its ways and stays there until other writes push it out.
 *
 * @param cacheBytes size of the whole cache; sets, cacheBytes / (64 x cacheWays), are a power of two
 * @param cacheWays ways of the whole cache, 1 to 64
 * @param ways ways that device writes go into; 0: they go to memory
 */
public record DdioSpec(long cacheBytes, int cacheWays, int ways) {
    static final int LINE = 64;
    private static final long LARGEST = 1L << 32;
    private static final int MAX_WAYS = 64;

    /** Checks the ranges. */
    public DdioSpec {
        range("ways of the last-level cache", cacheWays, 1, MAX_WAYS);
        range("bytes of the last-level cache", cacheBytes, (long) LINE * cacheWays, LARGEST);
        range("ways for device writes", ways, 0, cacheWays);
        long row = (long) LINE * cacheWays;
        if (cacheBytes % row != 0 || Long.bitCount(cacheBytes / row) != 1) {
            throw new ConfigurationException("last-level cache: " + cacheBytes + " bytes in " + cacheWays
                    + " ways: the number of sets, bytes / (64 x ways), is a power of two");
        }
    }

    private static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ConfigurationException("DDIO: " + what + " " + value + " is not in " + min + ".." + max);
        }
    }

    /** Returns a Xeon's cache: 22 MB in 11 ways, two of them for devices. */
    public static DdioSpec xeon() {
        return new DdioSpec(22L << 20, 11, 2);
    }

    /** Returns the number of sets. */
    public int sets() {
        return (int) (cacheBytes / ((long) LINE * cacheWays));
    }

    /** Returns the bytes of device writes that the cache holds. */
    public long bytes() {
        return (long) sets() * ways * LINE;
    }
}
