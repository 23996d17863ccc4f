package dev.clockwire.bench.perftest;

import dev.clockwire.bench.explain.Excess;
import dev.clockwire.bench.explain.TailReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Compares the chosen operations of a run with its median one. */
final class Tail {
    private Tail() {}

    /**
     * Makes the report.
     *
     * @param unit latency for each unit of time
     * @param path finds the path of an operation that was chosen
     */
    static TailReport of(TailChoice choice, int operations, double unit, IntFunction<Excess.Waterfalls> path) {
        Excess.Waterfalls median = path.apply(choice.median);
        List<TailReport.Row> rows = new ArrayList<>();
        choice.rows.forEach((name, chosen) -> {
            Excess excess = new Excess(median, unit);
            chosen.forEach(i -> excess.add(path.apply(i)));
            rows.add(excess.row(name));
        });
        return new TailReport(operations, median.totalPs() * unit / 1000, rows);
    }
}
