package dev.clockwire.bench.cli;

import dev.clockwire.bench.diagnose.Counters;
import dev.clockwire.bench.diagnose.Diagnosis;
import dev.clockwire.bench.diagnose.Verdict;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code diagnose FILE}: what do these counters betray? */
@Command(
        name = "diagnose",
        description =
                "Name likely causes from counters: of a run (--counters --json, stats.json), or pasted from a real"
                        + " machine (ethtool -S, hw_counters, rdma statistic, perfquery, lspci -vvv, numactl --show,"
                        + " /proc).")
final class DiagnoseCommand extends ClockwireTask {
    private static final double LONGEST_S = 1e9;
    private static final int SHOWN = 12;

    @Parameters(paramLabel = "FILE", description = "The counters; lines that mean nothing are told.")
    private Path file = Path.of("");

    @Option(
            names = "--before",
            paramLabel = "FILE",
            description = "An earlier reading of the same counters: what has happened since then is looked at.")
    private @Nullable Path before;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "Seconds that the counters have counted, or those between the readings: pauses are weighed by"
                    + " their length then.")
    private @Nullable Double duration;

    @Mixin
    private JsonOption json = new JsonOption();

    DiagnoseCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        Double time = duration;
        if (time != null && !(time > 0 && time <= LONGEST_S)) {
            throw CliException.usage("--duration " + time + " is outside its range above 0 to 1e9 seconds");
        }
        Path earlier = before;
        Counters first = earlier == null ? null : read(earlier);
        Counters counters = read(file);
        if (time != null) {
            counters.over(time + (first == null ? 0 : first.seconds()));
        }
        Verdict verdict = Diagnosis.of(first, counters);
        if (json.wanted()) {
            console()
                    .json(new JsonDocument("diagnose")
                            .with("findings", verdict.findings())
                            .with("looked_at", verdict.lookedAt())
                            .with("near", verdict.near())
                            .with("not_judged", verdict.notJudged())
                            .with("notes", verdict.notes()));
            return ExitCode.OK;
        }
        print(verdict, counters.sums().size());
        return ExitCode.OK;
    }

    private Counters read(Path from) throws IOException {
        String text = InputFile.text(from);
        Counters counters = Counters.read(text);
        if (counters.isEmpty()) {
            Optional<String> broken = Counters.brokenDocument(text);
            if (broken.isPresent()) {
                throw new ConfigurationException(from + ": no whole JSON document: " + broken.get());
            }
            console().note(from + ": no counter in it is known");
        }
        return counters;
    }

    private void print(Verdict v, int read) {
        v.findings().forEach(f -> {
            console().line(f.rule() + ": " + f.cause());
            console().line("    evidence: " + f.evidence());
            console().line("    cure: " + f.cure());
        });
        if (v.findings().isEmpty()) {
            console().line(read == 0 ? "nothing found" : "nothing found in " + read + " counters");
            list("    looked at: ", v.lookedAt(), ", ");
            list("    not judged, for want of counters: ", v.notJudged(), "; ");
        }
        v.near().forEach(near -> console().line("    near a limit: " + near));
        v.notes().forEach(note -> console().line("    note: " + note));
    }

    private void list(String title, List<String> all, String between) {
        if (!all.isEmpty()) {
            String more = all.size() <= SHOWN ? "" : between + (all.size() - SHOWN) + " more (--json)";
            console().line(title + String.join(between, all.subList(0, Math.min(SHOWN, all.size()))) + more);
        }
    }
}
