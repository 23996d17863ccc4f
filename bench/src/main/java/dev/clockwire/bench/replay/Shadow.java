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
        for (long done = 0; done < length; ) {
            int at = (int) (va + done) & PAGE - 1;
            int n = (int) Math.min(length - done, PAGE - at);
            written.computeIfAbsent(new Page(host, key, (va + done) >>> PAGE_BITS), unused -> new BitSet(PAGE))
                    .set(at, at + n);
            done += n;
        }
    }

    /** Returns which of these bytes a request wrote last. */
    BitSet written(Gid host, int key, long va, int length) {
        BitSet found = new BitSet(length);
        for (int done = 0; done < length; ) {
            int at = (int) (va + done) & PAGE - 1;
            int n = Math.min(length - done, PAGE - at);
            BitSet page = written.get(new Page(host, key, (va + done) >>> PAGE_BITS));
            if (page != null) {
                for (int i = page.nextSetBit(at); i >= 0 && i < at + n; i = page.nextSetBit(i + 1)) {
                    found.set(done + i - at);
                }
            }
            done += n;
        }
        return found;
    }
}
