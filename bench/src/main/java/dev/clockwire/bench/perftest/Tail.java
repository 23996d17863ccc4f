package dev.clockwire.bench.perftest;

import dev.clockwire.bench.explain.Excess;
import dev.clockwire.bench.explain.TailReport;
import dev.clockwire.sim.trace.Losses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Compares the chosen operations of a run with its median one. */
final class Tail {
    private Tail() {}

    /**
     * Makes the report.
     *
     * @param unit latency for each unit of time
     * @param path finds the path of an operation that was chosen
     * @param losses of all operations; null where none waits for others
     */
    static TailReport of(
            TailChoice choice,
            int operations,
            double unit,
            IntFunction<Excess.Waterfalls> path,
            @Nullable Losses losses) {
        Excess.Waterfalls median = path.apply(choice.median);
        List<TailReport.Row> rows = new ArrayList<>();
        choice.rows.forEach((name, chosen) -> {
            Excess excess = new Excess(median, unit);
            chosen.forEach(i -> excess.add(path.apply(i)));
            rows.add(excess.row(name));
        });
        return new TailReport(
                operations, median.totalPs() * unit / 1000, rows, losses == null ? List.of() : mean(losses));
    }

    private static List<TailReport.CauseLoss> mean(Losses losses) {
        double unit = 1e-3 / Math.max(1, losses.operations());
        return losses.perCause().entrySet().stream()
                .map(e -> new TailReport.CauseLoss(e.getKey(), e.getValue() * unit))
                .sorted(Comparator.comparingDouble(TailReport.CauseLoss::ns).reversed())
                .toList();
    }
}
