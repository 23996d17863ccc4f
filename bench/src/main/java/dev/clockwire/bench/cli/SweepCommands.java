package dev.clockwire.bench.cli;

import dev.clockwire.bench.sweep.ResultFiles;
import dev.clockwire.bench.sweep.Results;
import dev.clockwire.bench.sweep.Runner;
import dev.clockwire.bench.text.Count;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** What a sweep needs of the command line: the commands themselves, and what both of its own say at their end. */
public final class SweepCommands {
    private static final int MOST_REMARKS = 10;

    private SweepCommands() {}

    /** Runs a command in this thread as the launcher would, the words behind {@code clockwire}. */
    public static Runner.Ended run(List<String> arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(stream(out), stream(err), arguments.toArray(String[]::new));
        return new Runner.Ended(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream stream(OutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** Copies the plan beside the rows; shards may do so at the same time, so each has a temporary name of its own. */
    static void keepPlan(Path plan, Path folder, int shard) throws IOException {
        Path kept = folder.resolve(ResultFiles.PLAN);
        if (!Files.exists(kept) || !Files.isSameFile(plan, kept)) {
            Path partial = folder.resolve("." + ResultFiles.PLAN + "." + shard);
            Files.write(partial, Files.readAllBytes(plan));
            Files.move(partial, kept, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Prints the outcome; remarks of the runs go to standard error. */
    static void report(Console console, Results results, Path folder, boolean json) {
        List<String> remarks = results.remarks();
        remarks.stream().limit(MOST_REMARKS).forEach(console::note);
        if (remarks.size() > MOST_REMARKS) {
            console.note("and " + Count.of(remarks.size() - MOST_REMARKS, "other remark") + "; see rows");
        }
        int missing = results.missing().size();
        if (missing > 0) {
            console.note(Count.of(missing, "row") + " of " + (missing + results.runs()) + " missing, the first is "
                    + results.missing().get(0) + "; sweep --resume runs them");
        }
        if (json) {
            console.json(new JsonDocument("sweep")
                    .with("runs", results.runs())
                    .with("failed", results.failed())
                    .with("missing", missing)
                    .with("out", folder.toString()));
        } else {
            console.line(Count.of(results.runs(), "run") + ", " + results.failed() + " failed, in " + folder);
        }
    }
}
