package dev.clockwire.bench.cli;

import dev.clockwire.bench.audit.Audit;
import dev.clockwire.bench.audit.AuditReport;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code audit FILE.csv}: can these results be true? */
@Command(
        name = "audit",
        description = "Check claimed results against Little's law and the limits of link, PCIe and storage media.")
final class AuditCommand extends ClockwireTask {
    @Parameters(paramLabel = "FILE", description = "Claims, one a line; docs/audit.md lists the columns.")
    private Path file = Path.of("");

    @Mixin
    private JsonOption json = new JsonOption();

    AuditCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        AuditReport report = Audit.of(file);
        if (json.wanted()) {
            console().json(new JsonDocument("audit").withAll(report));
        } else {
            for (AuditReport.Row row : report.rows()) {
                console().line(row.verdict() + ": " + row.claim());
                console().line("    limit: " + row.limit());
                console().line("    " + row.arithmetic());
            }
        }
        // the verdicts are the result: a claim that cannot be true is no failure of the audit
        return ExitCode.OK;
    }
}
