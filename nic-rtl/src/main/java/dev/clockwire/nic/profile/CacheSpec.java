package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A set-associative cache of table entries.
 *
 * @param entries entries on the chip, a multiple of the ways; sets are a power of two
 * @param ways entries of one set, 1 or more
 * @param entryBytes bytes of an entry in host memory, a power of two from 8 to 4096
 * @param misses entries that may be on their way from memory at a time, 1 or more
 * @param random a random one of the set makes room, else the one that was not used for longest
 */
public record CacheSpec(int entries, int ways, int entryBytes, int misses, boolean random) {
    private static final int MAX_ENTRIES = 1 << 24;

    /** Checks the ranges. */
    public CacheSpec {
        range("ways", ways, 1, MAX_ENTRIES);
        range("entries", entries, ways, MAX_ENTRIES);
        range("entry bytes", entryBytes, 8, 4096);
        range("misses", misses, 1, 1024);
        if (entries % ways != 0 || Integer.bitCount(entries / ways) != 1) {
            throw new ConfigurationException("cache: " + entries + " entries in " + ways
                    + " ways: the number of sets, entries / ways, is a power of two");
        }
        if (Integer.bitCount(entryBytes) != 1) {
            throw new ConfigurationException("cache: entry bytes " + entryBytes + " is not a power of two");
        }
    }

    /** A cache that replaces what was not used for longest. */
    public CacheSpec(int entries, int ways, int entryBytes, int misses) {
        this(entries, ways, entryBytes, misses, false);
    }

    private static void range(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ConfigurationException("cache: " + what + " " + value + " is not in " + min + ".." + max);
        }
    }

    /** Returns the number of sets. */
    public int sets() {
        return entries / ways;
    }
}
