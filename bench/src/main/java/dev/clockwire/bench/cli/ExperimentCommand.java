package dev.clockwire.bench.cli;

import dev.clockwire.bench.fabric.Series;
import dev.clockwire.bench.fabric.SeriesPlot;
import dev.clockwire.bench.fabric.experiment.Experiment;
import dev.clockwire.bench.fabric.experiment.ExperimentRun;
import dev.clockwire.bench.fabric.experiment.Experiments;
import dev.clockwire.bench.fabric.experiment.Finding;
import dev.clockwire.sim.error.Plain;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabric experiment}: experiments on fabrics whose outcome is known. */
@Command(
        name = "experiment",
        description = "Run experiments whose outcome is known; exit code 1 if a figure is out of its range."
                + " Without a name: list them.")
final class ExperimentCommand extends ClockwireTask {
    private static final int MOST_SEEDS = 1000;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one.")
    private @Nullable String name;

    @Option(names = "--all", description = "Run all of them.")
    private boolean all;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Seeds of set-ups that chance has a part in (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Draw rates and queues of each set-up's first seed there.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    private final Map<String, Series> drawings = new LinkedHashMap<>();

    ExperimentCommand(Console console) {
        super(console);
    }

    /** A name and what it is about. */
    record Entry(String name, String title, String source) {}

    @Override
    public Integer call() throws IOException {
        String wanted = name;
        if (wanted == null && !all) {
            return list();
        }
        if (wanted != null && all) {
            throw CliException.usage("fabric experiment takes a NAME or --all");
        }
        if (seeds < 1 || seeds > MOST_SEEDS) {
            throw CliException.usage("--seeds " + seeds + ": must be 1 to " + MOST_SEEDS);
        }
        List<Finding> findings = new ArrayList<>();
        try (OutputDirectory directory = out == null ? null : OutputDirectory.at(out)) {
            for (Experiment e : wanted == null ? Experiments.all() : List.of(Experiments.named(wanted))) {
                if (!json.wanted()) {
                    console().now(e.name() + ": " + e.title());
                }
                findings.addAll(new ExperimentRun(seeds, drawings::put).run(e));
                draw(directory);
            }
            if (directory != null) {
                directory.keep();
            }
        }
        boolean passed = findings.stream().allMatch(Finding::passed);
        if (json.wanted()) {
            console()
                    .json(new JsonDocument("experiment")
                            .with("findings", findings)
                            .with("passed", passed));
        } else {
            text(findings);
        }
        return passed ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    private Integer list() {
        List<Entry> entries = Experiments.all().stream()
                .map(e -> new Entry(e.name(), e.title(), e.source()))
                .toList();
        if (json.wanted()) {
            console().json(new JsonDocument("experiment-list").with("experiments", entries));
        } else {
            entries.forEach(e -> console().line(String.format(Locale.ROOT, "%-16s %s", e.name(), e.title())));
        }
        return ExitCode.OK;
    }

    private void draw(@Nullable OutputDirectory directory) throws IOException {
        if (directory != null) {
            for (Map.Entry<String, Series> drawing : drawings.entrySet()) {
                String file = drawing.getKey().replaceAll("[^A-Za-z0-9.]+", "-");
                Files.writeString(directory.file(file + ".svg"), SeriesPlot.svg(drawing.getKey(), drawing.getValue()));
                Files.writeString(
                        directory.file(file + ".csv"), drawing.getValue().csv());
            }
        }
        drawings.clear();
    }

    private void text(List<Finding> findings) {
        for (Finding f : findings) {
            String spread = f.seeds() == 1
                    ? ""
                    : " (" + plain(f.least()) + " to " + plain(f.most()) + ", " + f.seeds() + " seeds)";
            console()
                    .line(String.format(
                            Locale.ROOT,
                            "%-6s %-16s %-32s %-34s %s%s, expected %s",
                            f.passed() ? "ok" : "FAILED",
                            f.experiment(),
                            f.setup(),
                            name(f.what()),
                            plain(f.found()) + unit(f.what()),
                            spread,
                            range(f.low(), f.high()) + unit(f.what())));
        }
    }

    /** The unit stands behind the last comma of a figure's name. */
    private static String unit(String what) {
        int at = what.lastIndexOf(", ");
        return at < 0 ? "" : " " + what.substring(at + 2);
    }

    private static String name(String what) {
        int at = what.lastIndexOf(", ");
        return at < 0 ? what : what.substring(0, at);
    }

    private static String range(double low, double high) {
        if (low == high) {
            return plain(low);
        }
        return high >= Double.MAX_VALUE ? plain(low) + " or more" : plain(low) + " to " + plain(high);
    }

    /** Five digits, and no exponent. */
    private static String plain(double value) {
        return Double.isFinite(value)
                ? Plain.text(new BigDecimal(value).round(new MathContext(5)).doubleValue())
                : Double.toString(value);
    }
}
