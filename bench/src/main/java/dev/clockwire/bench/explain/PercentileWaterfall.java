package dev.clockwire.bench.explain;

import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.trace.Waterfall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Where the time of the operation at a percentile went.
 *
 * @param op kind of operations of which it is the percentile, empty if all are of one kind
 * @param percentile 0 to 100
 * @param latencyNs of this operation, in ns: the sum of its stages
 * @param stages in the order in which the operation met them, each once
 */
public record PercentileWaterfall(String op, double percentile, double latencyNs, List<Share> stages) {
    /** Those that are shown if an operation near them is known. */
    public static final List<Double> PERCENTILES = List.of(0.0, 50.0, 90.0, 99.0, 99.9, 100.0);

    /** So near to a percentile's latency an operation must be to stand for it. */
    public static final double NEAR = 0.01;

    private static final double PS_PER_NS = 1000;

    /**
     * Time in one stage.
     *
     * @param ns all of it
     * @param waitNs how much of it nothing was done for this operation; NaN if that is not known
     */
    public record Share(String stage, double ns, double waitNs) {}

    /** Copies the stages. */
    public PercentileWaterfall {
        stages = List.copyOf(stages);
    }

    /**
     * Finds the operations at all percentiles whose waits nobody tells from work; one near which no operation is known is left out.
     *
     * @param op see the component
     * @param latencies of all operations, in ps
     * @param nearest gives the stages of the operation whose latency in ps is nearest to one, in the order of time, in ps; none if no operation is known
     */
    public static List<PercentileWaterfall> all(
            String op, Histogram latencies, LongFunction<Map<String, Long>> nearest) {
        List<PercentileWaterfall> found = new ArrayList<>();
        for (double percentile : latencies.count() == 0 ? List.<Double>of() : PERCENTILES) {
            long wanted = percentile == 0
                    ? latencies.min()
                    : percentile == 100 ? latencies.max() : latencies.percentile(percentile);
            Map<String, Long> ps = nearest.apply(wanted);
            long total = ps.values().stream().mapToLong(Long::longValue).sum();
            if (!ps.isEmpty() && Math.abs(total - wanted) <= wanted * NEAR) {
                List<Share> shares = ps.entrySet().stream()
                        .filter(e -> e.getValue() > 0)
                        .map(e -> new Share(e.getKey(), e.getValue() / PS_PER_NS, Double.NaN))
                        .toList();
                found.add(new PercentileWaterfall(op, percentile, total / PS_PER_NS, shares));
            }
        }
        return found;
    }

    /**
     * Adds up the ways of an operation.
     *
     * @param unit latency for each unit of time: 0.5 for half round trips
     */
    public static PercentileWaterfall of(double percentile, double unit, List<Waterfall> ways) {
        Map<String, long[]> perStage = new LinkedHashMap<>();
        long total = 0;
        for (Waterfall way : ways) {
            total += way.totalPs();
            for (Waterfall.Row row : way.rows()) {
                long[] sum = perStage.computeIfAbsent(row.stage(), s -> new long[2]);
                sum[0] += row.durationPs();
                sum[1] += row.waitPs();
            }
        }
        double ns = unit / PS_PER_NS;
        return new PercentileWaterfall(
                "",
                percentile,
                total * ns,
                perStage.entrySet().stream()
                        .map(e -> new Share(e.getKey(), e.getValue()[0] * ns, e.getValue()[1] * ns))
                        .toList());
    }
}
