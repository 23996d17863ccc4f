package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What the chip holds of the tables that lie in host memory (interconnect context memory). A cache that is null holds all of its table,
 * and costs nothing.
 *
 * @param qpc QP contexts
 * @param qpcShared received packets look their context up in the same cache
 * @param ports lookups that each cache takes in a cycle
 * @param cqc completion queue contexts
 * @param mpt memory keys
 * @param mtt translations of pages
 * @param pageBytes bytes that one translation covers
 * @param prefetch the translation behind the one in use is read ahead
 * @param wqes WQEs that may wait on the chip for their execution, 0: all that were fetched
 * @param misses WQEs that may be read again at a time
 * @param random a random WQE makes room, else the oldest
 */
public record IcmSpec(
        @Nullable CacheSpec qpc,
        boolean qpcShared,
        int ports,
        @Nullable CacheSpec cqc,
        @Nullable CacheSpec mpt,
        @Nullable CacheSpec mtt,
        int pageBytes,
        boolean prefetch,
        int wqes,
        int misses,
        boolean random) {
    /** Bytes of a memory key's context in host memory, as mlx5 has it. */
    public static final int MPT_BYTES = 64;

    /** Bytes of a page's translation in host memory, as mlx5 has it. */
    public static final int MTT_BYTES = 8;

    /** Checks what the caches cannot see for themselves. */
    public IcmSpec {
        if (Integer.bitCount(pageBytes) != 1 || pageBytes < 4096) {
            throw new ConfigurationException("page of " + pageBytes + " bytes: a power of two from 4096 on is allowed");
        }
        if (ports < 1) {
            throw new ConfigurationException("cache: " + ports + " ports: 1 or more are allowed");
        }
    }

    static IcmSpec from(Profile p) {
        return new IcmSpec(
                qpc(p),
                p.flag("nic.cache.qpc_shared"),
                p.integer("nic.cache.ports"),
                cache(p, "cqc", p.integer("nic.cache.cqc_bytes")),
                cache(p, "mpt", MPT_BYTES),
                cache(p, "mtt", MTT_BYTES),
                p.integer("nic.cache.mtt_page"),
                p.flag("nic.cache.mtt_prefetch"),
                p.integer("nic.cache.wqe_entries"),
                p.integer("nic.cache.misses"),
                isRandom(p));
    }

    private static @Nullable CacheSpec qpc(Profile p) {
        int bytes = p.integer("nic.cache.qpc_bytes");
        if (Integer.bitCount(bytes) != 1) {
            throw new ConfigurationException(
                    "nic.cache.qpc_bytes=" + bytes + ": allowed is a power of two from 16 to 4096");
        }
        return cache(p, "qpc", bytes);
    }

    private static @Nullable CacheSpec cache(Profile p, String table, int entryBytes) {
        String size = "nic.cache." + table + "_entries";
        String ways = "nic.cache." + table + "_ways";
        int entries = p.integer(size);
        return entries == 0
                ? null
                : p.together(
                        () -> new CacheSpec(
                                entries, p.integer(ways), entryBytes, p.integer("nic.cache.misses"), isRandom(p)),
                        size,
                        ways);
    }

    private static boolean isRandom(Profile p) {
        return p.text("nic.cache.replacement").equals("random");
    }

    /** Returns the room for WQEs as a cache of one set; only where it is bounded. */
    public CacheSpec wqeCache() {
        return new CacheSpec(wqes, wqes, 64, misses, random);
    }

    /** Whether accesses to memory ask for keys or translations. */
    public boolean translates() {
        return mpt != null || mtt != null;
    }

    /** Returns log2 of the page. */
    public int pageShift() {
        return Integer.numberOfTrailingZeros(pageBytes);
    }
}
