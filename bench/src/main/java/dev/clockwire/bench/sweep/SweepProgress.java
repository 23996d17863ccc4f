package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Consumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** The progress bar: rows, time left, simulated time, cycles per second of the wall clock, failures. */
public final class SweepProgress implements Consumer<RowResult>, AutoCloseable {
    private static final int WIDTH = 110;
    private static final double NS_PER_MS = 1e6;

    private final ProgressBar bar;
    private final long startedNs = System.nanoTime();
    private double simulatedMs;
    private double cycles;
    private int failed;

    /** Starts the bar. */
    public SweepProgress(PrintStream terminal, long rows) {
        bar = new ProgressBarBuilder()
                .setTaskName("sweep")
                .setInitialMax(rows)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(terminal, WIDTH))
                .build();
    }

    @Override
    public synchronized void accept(RowResult row) {
        JsonNode result = row.result();
        simulatedMs += result.path("simulated_ms").asDouble()
                + result.path("simulated_ns").asDouble() / NS_PER_MS;
        cycles += result.path("cycles").asDouble();
        failed += row.failed() ? 1 : 0;
        double seconds = (System.nanoTime() - startedNs) * 1e-9;
        String text = String.format(Locale.ROOT, "%.3g ms simulated", simulatedMs);
        if (cycles > 0) {
            text += String.format(Locale.ROOT, ", %.3g cycles/s", cycles / seconds);
        }
        bar.setExtraMessage(failed == 0 ? text : text + ", " + failed + " failed");
        bar.step();
    }

    @Override
    public void close() {
        bar.close();
    }
}
