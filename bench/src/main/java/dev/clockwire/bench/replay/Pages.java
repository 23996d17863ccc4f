package dev.clockwire.bench.replay;

import dev.clockwire.roce.verbs.Gid;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pages of memory that requests reach, joined to ranges that do not touch each other. */
final class Pages {
    private static final long PAGE = 4096;

    private final Map<Gid, TreeMap<Long, Long>> ranges = new HashMap<>();

    /** Adds the pages of a range. */
    void add(Gid host, long va, long length) {
        TreeMap<Long, Long> of = ranges.computeIfAbsent(host, unused -> new TreeMap<>(Long::compareUnsigned));
        long from = va & -PAGE;
        long to = (va + Math.max(1, length) + PAGE - 1) & -PAGE;
        Map.Entry<Long, Long> before = of.floorEntry(from);
        if (before != null && Long.compareUnsigned(before.getKey() + before.getValue(), from) >= 0) {
            from = before.getKey();
            to = max(to, before.getKey() + before.getValue());
        }
        for (Map.Entry<Long, Long> next = of.ceilingEntry(from);
                next != null && Long.compareUnsigned(next.getKey(), to) <= 0;
                next = of.ceilingEntry(from)) {
            to = max(to, next.getKey() + next.getValue());
            of.remove(next.getKey());
        }
        of.put(from, to - from);
    }

    private static long max(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? a : b;
    }

    /** Returns first address and length in bytes of each range, by host. */
    Map<Gid, SortedMap<Long, Long>> ranges() {
        return new HashMap<>(ranges);
    }
}
