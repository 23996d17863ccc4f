package dev.clockwire.bench.replay;

import java.util.HashMap;
import java.util.Map;

/** Bytes at any 64-bit address; what was never written is 0. */
final class SparseMemory {
    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;

    private final Map<Long, byte[]> pages = new HashMap<>();

    void write(long va, byte[] from, int off, int length) {
        for (int done = 0; done < length; ) {
            byte[] page = pages.computeIfAbsent((va + done) >>> PAGE_BITS, unused -> new byte[PAGE]);
            int at = (int) (va + done) & PAGE - 1;
            int n = Math.min(length - done, PAGE - at);
            System.arraycopy(from, off + done, page, at, n);
            done += n;
        }
    }

    void read(long va, byte[] into, int length) {
        for (int done = 0; done < length; ) {
            byte[] page = pages.get((va + done) >>> PAGE_BITS);
            int at = (int) (va + done) & PAGE - 1;
            int n = Math.min(length - done, PAGE - at);
            if (page != null) {
                System.arraycopy(page, at, into, done, n);
            }
            done += n;
        }
    }
}
