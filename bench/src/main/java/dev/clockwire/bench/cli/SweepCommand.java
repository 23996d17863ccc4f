package dev.clockwire.bench.cli;

import dev.clockwire.bench.sweep.Pool;
import dev.clockwire.bench.sweep.RowResult;
import dev.clockwire.bench.sweep.Shard;
import dev.clockwire.bench.sweep.SweepRow;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sweep FILE.yaml}: many runs. */
@Command(
        name = "sweep",
        description = "Run a command many times with varied options, parameters and seeds, as a plan says.")
final class SweepCommand extends SweepTask {
    private static final int MOST_JOBS = 1024;

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE.yaml", description = "The plan.")
    private @Nullable Path file;

    @Option(names = "--jobs", paramLabel = "N", description = "Runs at a time (default: one for each processor).")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "Run one of N parts only, I from 1 (default: by the variables of a Slurm array or an indexed"
                    + " Kubernetes job, otherwise all).")
    private @Nullable String shard;

    SweepCommand(Console console) {
        super(console);
    }

    @Override
    protected Path plan() {
        Path plan = file;
        if (plan == null) {
            throw CliException.usage("'clockwire sweep' needs FILE.yaml, or the command merge");
        }
        return plan;
    }

    @Override
    protected Shard part() {
        Range.check("--jobs", jobs, 1, MOST_JOBS, "");
        String typed = shard;
        return typed == null
                ? Shard.of(System.getenv())
                : Shard.parse(typed)
                        .orElseThrow(() -> CliException.usage("--shard " + typed + ": expected i/n, i from 1 to n"));
    }

    @Override
    protected void run(List<SweepRow> rows, BiConsumer<SweepRow, RowResult> done) {
        new Pool(SweepCommands::run, Interrupt::requested, done).run(rows, jobs);
    }
}
