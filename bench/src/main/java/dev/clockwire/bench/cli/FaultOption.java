package dev.clockwire.bench.cli;

import dev.clockwire.bench.fault.FaultFile;
import dev.clockwire.bench.fault.FaultPlaces;
import dev.clockwire.bench.fault.FaultReport;
import dev.clockwire.sim.fault.FaultPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that lets things go wrong. */
final class FaultOption {
    @Option(names = "--faults", paramLabel = "FILE.yaml", description = "What goes wrong on the link and in the hosts.")
    private @Nullable Path file;

    FaultOption() {}

    /** Returns the file, null without it. */
    @Nullable
    Path file() {
        return file;
    }

    /** Returns the plan in the file, an empty one without it. */
    FaultPlan plan(FaultPlaces places) throws IOException {
        return file == null ? FaultPlan.NONE : FaultFile.read(file, places);
    }

    /** Notes each rule that struck in none of some runs: the plan does not do what its author thinks. */
    void complain(Console console, List<@Nullable List<FaultReport>> runs) {
        List<FaultReport> first = runs.get(0);
        if (first == null) {
            return;
        }
        for (int i = 0; i < first.size(); i++) {
            int rule = i;
            if (runs.stream().allMatch(run -> run == null || run.get(rule).hits() == 0)) {
                console.note(first.get(i).line());
            }
        }
    }

    /** Returns the option for the command that artefacts repeat: with a blank in front and without the directory. */
    String text() {
        return file == null ? "" : " --faults " + file.getFileName();
    }
}
