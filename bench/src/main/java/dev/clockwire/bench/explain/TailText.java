package dev.clockwire.bench.explain;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Prints why the slowest operations were slower, and that the reasons add up. */
public final class TailText {
    private TailText() {}

    /** Hands the lines to a consumer. */
    public static void print(TailReport tail, Consumer<String> lines) {
        lines.accept(String.format(
                Locale.ROOT,
                " Tail: %d operations, the median takes %.2f ns; what the slower ones take more, by stage and cause:",
                tail.operations(),
                tail.medianNs()));
        if (!tail.lostByEach().isEmpty()) {
            lines.accept(tail.lostByEach().stream()
                    .map(loss -> String.format(Locale.ROOT, "%s %.2f ns", loss.cause(), loss.ns()))
                    .collect(Collectors.joining(", ", " Each operation of the run lost on average, wherever: ", ".")));
        }
        if (tail.rows().stream().allMatch(row -> row.parts().isEmpty() && row.excessNs() == 0)) {
            lines.accept(" None: the slowest took as long.");
            return;
        }
        for (TailReport.Row row : tail.rows()) {
            String of = row.operations() == 1 ? "" : " (mean of " + row.operations() + ")";
            lines.accept(String.format(
                    Locale.ROOT,
                    " %-10s %10.2f ns = median %+.2f ns%s",
                    row.name(),
                    row.latencyNs(),
                    row.excessNs(),
                    of));
            for (TailReport.Part part : row.parts()) {
                lines.accept(String.format(
                        Locale.ROOT, "   %-18s %-18s %+12.2f ns", part.stage(), part.cause(), part.excessNs()));
            }
            lines.accept(String.format(Locale.ROOT, "   %-37s %+12.2f ns", "sum", row.sumNs()));
        }
    }
}
