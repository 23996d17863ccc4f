package dev.clockwire.bench.nvmf;

import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.perf.PerfResult;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The text of {@code spdk_nvme_perf} (SPDK 26.09), byte by byte but for what depends on the machine. */
public final class PerfText {
    private static final String RULE = "=".repeat(56);
    private static final String SUMMARY_RULE = "=".repeat(81);
    private static final String HISTOGRAM_RULE = "=".repeat(78);
    private static final int CORE_WIDTH = 13;
    private static final int HEAD_WIDTH = 60;
    private static final double PS_PER_US = 1e6;
    private static final String COLUMNS = "%s: %10.2f %10.2f %10.2f %10.2f %10.2f";
    private static final double[] CUTOFFS = {
        .01, .10, .25, .50, .75, .90, .95, .98, .99, .995, .999, .9999, .99999, .999999, .9999999
    };

    private final Consumer<String> out;

    /** Prints to somebody who takes lines. */
    public PerfText(Consumer<String> out) {
        this.out = out;
    }

    private void line(String format, Object... values) {
        out.accept(String.format(Locale.ROOT, format, values));
    }

    /** Prints what the tool says before it begins. */
    public void start(List<String> controllers, List<PerfResults.Row> rows) {
        line("Initializing NVMe Controllers");
        controllers.forEach(c -> line("Attached to %s", c));
        rows.forEach(r -> line("Associating %s with lcore %d", r.name(), r.lcore()));
        line("Initialization complete. Launching workers.");
    }

    /** Prints the table. */
    public void table(PerfResults results) {
        int width =
                results.rows().stream().mapToInt(r -> r.name().length()).max().orElse(0);
        line(RULE);
        line("%" + (width + HEAD_WIDTH) + "s", "Latency(us)");
        String head = pad("Device Information", width + CORE_WIDTH);
        line("%s: %10s %10s %10s %10s %10s", head, "IOPS", "MiB/s", "Average", "min", "max");
        for (PerfResults.Row r : results.rows()) {
            if (r.result().latency().count() > 0) {
                row(String.format(Locale.ROOT, "%s from core %2d", pad(r.name(), width), r.lcore()), r.result());
            }
        }
        PerfResults.Latency l = results.latencyUs();
        if (l != null) {
            line(RULE);
            String total = pad("Total", width + CORE_WIDTH);
            line(COLUMNS, total, results.iops(), results.mebibytesPerSecond(), l.avg(), l.min(), l.max());
            line("");
        }
    }

    private void row(String name, PerfResult r) {
        Histogram h = r.latency();
        double average = h.mean() / PS_PER_US;
        line(COLUMNS, name, r.iops(), r.mebibytesPerSecond(), average, h.min() / PS_PER_US, h.max() / PS_PER_US);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** Prints percentiles of each queue: {@code -L}. A percentile is the end of the bucket that it lies in. */
    public void summaries(PerfResults results) {
        for (PerfResults.Row r : results.rows()) {
            line("Summary latency data for %-43.43s from core %d:", r.name(), r.lcore());
            line(SUMMARY_RULE);
            Histogram h = r.result().latency();
            int cutoff = 0;
            long seen = 0;
            for (int i = 0; i < h.buckets(); i++) {
                seen += h.bucketCount(i);
                while (h.bucketCount(i) > 0
                        && cutoff < CUTOFFS.length
                        && (double) seen / h.count() >= CUTOFFS[cutoff]) {
                    line("%9.5f%% : %9.3fus", CUTOFFS[cutoff] * 100, end(h, i));
                    cutoff++;
                }
            }
            line("");
        }
    }

    /** Prints the buckets of each queue: {@code -LL}. */
    public void histograms(PerfResults results) {
        for (PerfResults.Row r : results.rows()) {
            line("Latency histogram for %-43.43s from core %d:", r.name(), r.lcore());
            line(HISTOGRAM_RULE);
            line("       Range in us     Cumulative    IO count");
            Histogram h = r.result().latency();
            long seen = 0;
            for (int i = 0; i < h.buckets(); i++) {
                seen += h.bucketCount(i);
                if (h.bucketCount(i) > 0) {
                    double start = i == 0 ? 0 : end(h, i - 1);
                    line("%9.3f - %9.3f: %9.4f%%  (%9d)", start, end(h, i), 100.0 * seen / h.count(), h.bucketCount(i));
                }
            }
            line("");
        }
    }

    /** Where a bucket ends: the first value that is no longer in it. */
    private static double end(Histogram h, int bucket) {
        return (h.bucketEnd(bucket) + 1) / PS_PER_US;
    }
}
