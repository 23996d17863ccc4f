package dev.clockwire.bench.replay;

import dev.clockwire.roce.verbs.Gid;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Which bytes of a host's memory a request wrote last, as far as it is known: under the same key. What another key reaches may
 * be the same memory or not.
 */
final class Shadow {
    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;

    private final Map<Page, BitSet> written = new HashMap<>();

    private record Page(Gid host, int key, long number) {}

    /** Notes a write. */
    void write(Gid host, int key, long va, long length) {
        for (long at = va; at != va + length; at++) {
            written.computeIfAbsent(new Page(host, key, at >>> PAGE_BITS), unused -> new BitSet(PAGE))
                    .set((int) at & PAGE - 1);
        }
    }

    /** Tells whether a request wrote this byte last. */
    boolean isWritten(Gid host, int key, long va) {
        BitSet page = written.get(new Page(host, key, va >>> PAGE_BITS));
        return page != null && page.get((int) va & PAGE - 1);
    }
}
