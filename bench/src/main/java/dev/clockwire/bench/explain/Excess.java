package dev.clockwire.bench.explain;

import dev.clockwire.sim.trace.Waterfall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The difference between operations and the median one, by stage and cause. It is counted in whole picoseconds, and every picosecond of
 * an operation lies in one stage and one cause: so the differences add up to that of the latencies, exactly.
 */
public final class Excess {
    /** The cause of time in which a stage worked. */
    public static final String WORK = "work";

    private final Waterfalls median;
    private final double unitPs;
    private final TreeMap<String, TreeMap<String, Long>> sums = new TreeMap<>();
    private int operations;
    private long totalPs;

    /** The path of one operation, in one or several pieces that follow each other. */
    public record Waterfalls(List<Waterfall> pieces) {
        /** Copies the pieces. */
        public Waterfalls {
            pieces = List.copyOf(pieces);
        }

        /** Returns the length of all pieces in ps. */
        public long totalPs() {
            return pieces.stream().mapToLong(Waterfall::totalPs).sum();
        }
    }

    /**
     * Starts with nothing.
     *
     * @param median what is compared with
     * @param unit latency for each unit of time: 0.5 for half round trips
     */
    public Excess(Waterfalls median, double unit) {
        this.median = median;
        unitPs = unit / 1000;
    }

    /** Adds an operation. */
    public void add(Waterfalls operation) {
        operations++;
        totalPs += operation.totalPs();
        fold(operation, 1);
        fold(median, -1);
    }

    private void fold(Waterfalls of, int sign) {
        for (Waterfall piece : of.pieces()) {
            piece.perCause().forEach((stage, causes) -> {
                TreeMap<String, Long> mine = sums.computeIfAbsent(stage, k -> new TreeMap<>());
                causes.forEach((cause, ps) -> mine.merge(cause.isEmpty() ? WORK : cause, sign * ps, Long::sum));
            });
        }
    }

    /** Returns the average of what was added, at least one operation. */
    public TailReport.Row row(String name) {
        List<TailReport.Part> parts = new ArrayList<>();
        TreeMap<String, Long> byCause = new TreeMap<>();
        long sum = 0;
        for (Map.Entry<String, TreeMap<String, Long>> stage : sums.entrySet()) {
            for (Map.Entry<String, Long> cause : stage.getValue().entrySet()) {
                long ps = cause.getValue();
                sum += ps;
                byCause.merge(cause.getKey(), ps, Long::sum);
                if (ps != 0) {
                    parts.add(new TailReport.Part(stage.getKey(), cause.getKey(), ns(ps)));
                }
            }
        }
        List<TailReport.CauseShare> causes = new ArrayList<>();
        byCause.forEach((cause, ps) -> {
            if (ps != 0) {
                causes.add(new TailReport.CauseShare(cause, ns(ps)));
            }
        });
        parts.sort(Comparator.comparingDouble(TailReport.Part::excessNs).reversed());
        causes.sort(Comparator.comparingDouble(TailReport.CauseShare::excessNs).reversed());
        long excess = totalPs - operations * median.totalPs();
        return new TailReport.Row(name, operations, ns(totalPs), ns(excess), ns(sum), causes, parts);
    }

    private double ns(long ps) {
        return ps * unitPs / operations;
    }
}
