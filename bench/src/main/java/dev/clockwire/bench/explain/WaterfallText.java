package dev.clockwire.bench.explain;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The stages of an operation as bars on one time axis: each begins where the one above it ends. The light part of a bar is
 * time in which the operation waited.
 */
public final class WaterfallText {
    private static final int WIDTH = 48;
    private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";
    private static final char WAITING = '░';

    private WaterfallText() {}

    /** Hands the lines to a consumer: one for each stage, then the total. */
    public static void print(List<StageReport> stages, Consumer<String> lines) {
        if (stages.isEmpty()) {
            return;
        }
        double origin = stages.get(0).startNs();
        double total = 0;
        double cycles = 0;
        int name = "total".length();
        for (StageReport s : stages) {
            total += s.durationNs();
            cycles += s.cycles();
            name = Math.max(name, s.name().length());
        }
        for (StageReport s : stages) {
            lines.accept(line(s, s.startNs() - origin, total, name));
        }
        String axis = " ".repeat(WIDTH);
        lines.accept(String.format(
                Locale.ROOT, " %-" + name + "s  %s  %10.2f ns %10.1f cycles", "total", axis, total, cycles));
    }

    private static String line(StageReport s, double start, double total, int name) {
        double share = total == 0 ? 0 : s.durationNs() / total;
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                " %-" + name + "s ▕%s▏ %10.2f ns %10.1f cycles %5.1f %%",
                s.name(),
                bar(start, s, total),
                s.durationNs(),
                s.cycles(),
                100 * share));
        String waited = "  waited";
        for (StageReport.CauseWait wait : s.waits()) {
            text.append(String.format(Locale.ROOT, "%s %.2f ns for %s", waited, wait.ns(), wait.cause()));
            waited = ",";
        }
        return text.toString();
    }

    /** Draws one bar; a stage too short for a whole column still leaves a thin line. */
    private static String bar(double start, StageReport s, double total) {
        double scale = total == 0 ? 0 : WIDTH / total;
        int from = (int) Math.min(WIDTH - 1, Math.floor(start * scale + 1e-9));
        double end = Math.min(WIDTH, (start + s.durationNs()) * scale + 1e-9);
        double waitEnd = (start + s.waitNs()) * scale;
        StringBuilder bar = new StringBuilder(" ".repeat(from));
        for (int column = from; column < WIDTH; column++) {
            int eighths = (int) Math.round(Math.max(0, Math.min(1, end - column)) * 8);
            if (column == from && eighths == 0) {
                eighths = 1;
            }
            boolean waiting = s.waitNs() > 0 && column + 0.5 <= waitEnd && eighths == 8;
            bar.append(waiting ? WAITING : EIGHTHS.charAt(eighths));
        }
        return bar.toString();
    }
}
