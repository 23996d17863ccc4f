package dev.clockwire.bench.cli;

import dev.clockwire.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code report DIR}: the page of a run or a sweep. */
@Command(
        name = "report",
        description = "Make one page, DIR/report.html, of what a run or a sweep has left with --out. It opens without a"
                + " network.")
final class ReportCommand extends ClockwireTask {
    @Parameters(paramLabel = "DIR", description = "The directory of the run or the sweep.")
    private Path directory = Path.of("");

    @Mixin
    private JsonOption json = new JsonOption();

    ReportCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        Path page = Report.write(directory);
        if (json.wanted()) {
            console().json(new JsonDocument("report").with("report", page.toString()));
        } else {
            console().line(page.toString());
        }
        return ExitCode.OK;
    }
}
