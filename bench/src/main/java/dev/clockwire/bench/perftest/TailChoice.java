package dev.clockwire.bench.perftest;

import dev.clockwire.sim.stats.Percentiles;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Which operations of a run stand for its tail: those at the percentiles (of several with that latency the first), and all beyond P99 or
 * the slowest of them.
 */
final class TailChoice {
    /** Of the operations beyond P99 so many are explained, the slowest. */
    static final int MOST = 256;

    private static final Map<String, Double> PERCENTILES = new LinkedHashMap<>();

    static {
        PERCENTILES.put("p99", 99.0);
        PERCENTILES.put("p999", 99.9);
        PERCENTILES.put("max", 100.0);
    }

    final int median;
    final Map<String, List<Integer>> rows = new LinkedHashMap<>();

    /** Chooses among latencies, at least one, in the order of their recording. */
    TailChoice(long[] latencies) {
        int n = latencies.length;
        long[] sorted = latencies.clone();
        Arrays.sort(sorted);
        median = first(latencies, Percentiles.of(sorted, n, 50));
        PERCENTILES.forEach((name, p) -> rows.put(name, List.of(first(latencies, Percentiles.of(sorted, n, p)))));
        long p99 = Percentiles.of(sorted, n, 99);
        List<Integer> beyond = IntStream.range(0, n)
                .filter(i -> latencies[i] > p99)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(i -> -latencies[i]).thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .toList();
        if (!beyond.isEmpty()) {
            rows.put("beyond_p99", beyond);
        }
    }

    private static int first(long[] latencies, long value) {
        int i = 0;
        while (latencies[i] != value) {
            i++;
        }
        return i;
    }

    /** Returns the slowest operation, the first of several. */
    int slowest() {
        return rows.getOrDefault("max", List.of(0)).get(0);
    }

    /** Returns all that were chosen, ascending. */
    SortedSet<Integer> all() {
        TreeSet<Integer> all = new TreeSet<>();
        all.add(median);
        rows.values().forEach(all::addAll);
        return all;
    }
}
