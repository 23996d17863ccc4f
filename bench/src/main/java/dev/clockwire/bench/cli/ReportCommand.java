package dev.clockwire.bench.cli;

import dev.clockwire.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report DIR…}: the page of a run, a sweep or a comparison. */
@Command(
        name = "report",
        description = "Make one page, DIR/report.html, of what a run or a sweep has left with --out; of several runs,"
                + " DIR/comparison.html in the first of them. It opens without a network.")
final class ReportCommand extends ClockwireTask {
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR|FILE.json",
            description = "The directory of a run or a sweep, those of several runs to be compared, or what 'storage"
                    + " compare --json' or 'validate --json' has printed: FILE.html.")
    private List<Path> inputs = List.of();

    @Option(names = "--out", paramLabel = "FILE.html", description = "Write the page there instead.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    ReportCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        if (out != null) {
            WholeFile.directory("--out", out);
        }
        Path page = Report.write(inputs, out);
        if (json.wanted()) {
            console().json(new JsonDocument("report").with("report", page.toString()));
        } else {
            console().line(page.toString());
        }
        return ExitCode.OK;
    }
}
