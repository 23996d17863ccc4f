package dev.clockwire.bench.cli;

import dev.clockwire.bench.diagnose.Counters;
import dev.clockwire.bench.diagnose.Diagnosis;
import dev.clockwire.bench.diagnose.Finding;
import dev.clockwire.bench.text.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code diagnose FILE}: what do these counters betray? */
@Command(
        name = "diagnose",
        description =
                "Name likely causes from counters: of a run (--counters --json, stats.json), or pasted from a real"
                        + " machine (ethtool -S, hw_counters, rdma, lspci -vvv, numactl --show, /proc).")
final class DiagnoseCommand extends ClockwireTask {
    @Parameters(paramLabel = "FILE", description = "The counters; lines that nobody knows are passed over.")
    private Path file = Path.of("");

    @Mixin
    private JsonOption json = new JsonOption();

    DiagnoseCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        Counters counters = Counters.read(InputFile.text(file));
        List<Finding> found = Diagnosis.of(counters);
        if (counters.sums().isEmpty() && found.isEmpty()) {
            console().note(file + ": no counter in it is known");
        }
        if (json.wanted()) {
            console().json(new JsonDocument("diagnose").with("findings", found));
            return ExitCode.OK;
        }
        for (Finding f : found) {
            console().line(f.rule() + ": " + f.cause());
            console().line("    evidence: " + f.evidence());
            console().line("    cure: " + f.cure());
        }
        if (found.isEmpty()) {
            int read = counters.sums().size();
            console().line(read == 0 ? "nothing found" : "nothing found in " + read + " counters");
        }
        return ExitCode.OK;
    }
}
