package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.SsdRow;
import dev.clockwire.bench.nvmf.SsdValidation;
import dev.clockwire.bench.text.Count;
import dev.clockwire.bench.text.TextTable;
import dev.clockwire.bench.validate.Fit;
import dev.clockwire.bench.validate.Validation;
import dev.clockwire.bench.validate.ValidationPlot;
import dev.clockwire.bench.validate.ValidationReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code validate}: published measurements beside ours. */
@Command(
        name = "validate",
        description = "Simulate published measurements and compare; exit code 1 if one is missed by more than 12 %%.")
final class ValidateCommand extends ClockwireTask {
    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "Measurements of another file with the same columns; docs/validation.md lists them.")
    private @Nullable Path csv;

    @Option(
            names = "--fit",
            paramLabel = "PROFILE",
            description = "Fit the profile's host parameters on their published numbers and print what fits best.")
    private @Nullable String fit;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Also draw published against simulated values, on logarithmic axes.")
    private @Nullable Path plot;

    @Mixin
    private JsonOption json = new JsonOption();

    ValidateCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        Validation validation = csv == null ? Validation.builtIn() : Validation.of(csv);
        if (fit != null) {
            fit(validation, fit);
            return ExitCode.OK;
        }
        ValidationReport report = validation.run(console()::note, Interrupt::requested);
        List<SsdRow> ssds = csv == null && !Interrupt.requested()
                ? SsdValidation.builtIn().run(console()::note, Interrupt::requested)
                : List.of();
        if (plot != null && !Interrupt.requested()) {
            WholeFile.write("--plot", plot, ValidationPlot.svg(ValidationPlot.points(report)));
        }
        boolean interrupted = Interrupt.requested();
        if (json.wanted()) {
            JsonDocument d = new JsonDocument("validate").withAll(report);
            d = csv == null ? d.with("ssd_rows", ssds) : d;
            console().json(interrupted ? d.with("interrupted", true) : d);
        } else {
            if (interrupted) {
                console().line("INTERRUPTED: rows that are missing were not simulated");
            }
            print(report);
            printSsds(ssds);
        }
        if (interrupted) {
            console().note("interrupted: these are the rows of a part of the run");
            return ExitCode.INTERRUPTED;
        }
        return report.failed() == 0 ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    private void fit(Validation validation, String profile) {
        List<Fit.Value> values = Fit.of(validation, profile, console()::note);
        if (json.wanted()) {
            console().json(new JsonDocument("fit").with("profile", profile).with("values", values));
            return;
        }
        TextTable table = new TextTable("parameter", "built in", "fitted", "target", "rows", "error left %");
        values.forEach(v -> table.row(
                v.parameter(),
                v.built(),
                v.fitted(),
                v.target(),
                v.rows().toString(),
                String.format(Locale.ROOT, "%.2f", v.errorPct())));
        table.lines().forEach(console()::line);
    }

    private void print(ValidationReport report) {
        TextTable table =
                new TextTable("row", "device", "tool", "bytes", "metric", "published", "simulated", "error %");
        for (ValidationReport.Row r : report.rows()) {
            table.row(
                    Integer.toString(r.row()),
                    r.nic(),
                    r.tool(),
                    r.size() == null ? "" : r.size().toString(),
                    r.metric(),
                    String.format(Locale.ROOT, "%.4g %s", r.expected(), r.unit()),
                    r.simulated() == null ? "" : String.format(Locale.ROOT, "%.4g", r.simulated()),
                    r.errorPct() == null
                            ? String.valueOf(r.unsupported())
                            : String.format(Locale.ROOT, "%+.1f", r.errorPct()));
        }
        table.lines().forEach(console()::line);
        summary(report).forEach(console()::line);
    }

    private void printSsds(List<SsdRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        TextTable table =
                new TextTable("row", "SSDs and their software", "metric", "published", "simulated", "error %");
        for (SsdRow r : rows) {
            table.row(
                    Integer.toString(r.row()),
                    r.setup(),
                    r.metric(),
                    r.expected() == null ? "" : String.format(Locale.ROOT, "%.4g %s", r.expected(), r.unit()),
                    r.simulated() == null ? "" : String.format(Locale.ROOT, "%.4g", r.simulated()),
                    r.errorPct() == null
                            ? String.valueOf(r.unsupported())
                            : String.format(Locale.ROOT, "%+.1f", r.errorPct()));
        }
        console().line("");
        table.lines().forEach(console()::line);
        List<SsdRow> done = rows.stream().filter(SsdRow::hasResult).toList();
        long good = done.stream().filter(SsdRow::isOk).count();
        console()
                .line(String.format(
                        Locale.ROOT,
                        "%s of SSDs simulated: %d within their tolerance (8 %% of media, 12 %% of cores), %d beyond; %s not,"
                                + " each with its reason",
                        Count.of(done.size(), "row"),
                        good,
                        done.size() - good,
                        Count.of(rows.size() - done.size(), "row")));
    }

    /** All rows, in three lines: those that count, those whose source is weak, those that cannot be simulated. */
    private static List<String> summary(ValidationReport report) {
        Double median = report.medianAbsErrorPct();
        int counted = report.ok() + report.failed();
        List<ValidationReport.Row> weak =
                report.rows().stream().filter(ValidationReport.Row::isWeak).toList();
        long good = weak.stream().filter(ValidationReport.Row::isOk).count();
        int left = report.rows().size() - counted - weak.size();
        return List.of(
                String.format(
                        Locale.ROOT,
                        "%s of a solid source: %d within %.0f %%, %d beyond, %s",
                        Count.of(counted, "row"),
                        report.ok(),
                        ValidationReport.TOLERANCE_PERCENT,
                        report.failed(),
                        median == null
                                ? "nothing simulated"
                                : String.format(Locale.ROOT, "median error %.2f %%", median)),
                String.format(
                        Locale.ROOT,
                        "%s of confidence C, which do not count: %d within, %d beyond",
                        Count.of(weak.size(), "row"),
                        good,
                        weak.size() - good),
                Count.of(left, "row") + " not simulated, each with its reason");
    }
}
