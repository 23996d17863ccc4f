package dev.clockwire.bench.cli;

import dev.clockwire.bench.sweep.PlanFile;
import dev.clockwire.bench.sweep.Pool;
import dev.clockwire.bench.sweep.ResultFiles;
import dev.clockwire.bench.sweep.Results;
import dev.clockwire.bench.sweep.RowResult;
import dev.clockwire.bench.sweep.RowStore;
import dev.clockwire.bench.sweep.Shard;
import dev.clockwire.bench.sweep.SweepPlan;
import dev.clockwire.bench.sweep.SweepProgress;
import dev.clockwire.bench.sweep.SweepRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sweep FILE.yaml}: many runs. */
@Command(
        name = "sweep",
        description = "Run a command many times with varied options, parameters and seeds, as a plan says.")
final class SweepCommand extends ClockwireTask {
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

    @Option(names = "--resume", description = "Run only what is missing or has failed in --out.")
    private boolean resume;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where rows and results go (default: the plan's name without .yaml).")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    SweepCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        Path plan = file;
        if (plan == null) {
            throw CliException.usage("'clockwire sweep' needs FILE.yaml, or the command merge");
        }
        Range.check("--jobs", jobs, 1, MOST_JOBS, "");
        Shard part = part();
        SweepPlan read = PlanFile.read(plan, SweptCommandLine::of);
        List<SweepRow> all = read.rows();
        List<SweepRow> rows = all.stream().filter(part::has).toList();
        Path folder = folder(plan);
        RowStore store = new RowStore(List.of(folder));
        List<SweepRow> open = open(folder, store, all.size(), rows);
        prepare(folder, plan, part);
        run(open, store);
        Results results = Results.read(read, rows, store);
        if (part.equals(Shard.ALL)) {
            results.checkMeasures();
            ResultFiles.write(results, folder);
        } else {
            ResultFiles.mark(results, folder);
        }
        SweepCommands.report(console(), results, folder, json.wanted());
        return !results.missing().isEmpty()
                ? ExitCode.INTERRUPTED
                : results.failed() > 0 ? ExitCode.CHECK_FAILED : ExitCode.OK;
    }

    private Shard part() {
        String typed = shard;
        return typed == null
                ? Shard.of(System.getenv())
                : Shard.parse(typed)
                        .orElseThrow(() -> CliException.usage("--shard " + typed + ": expected i/n, i from 1 to n"));
    }

    private Path folder(Path plan) {
        Path chosen = out;
        if (chosen == null) {
            chosen = Path.of(String.valueOf(plan.getFileName()).replaceFirst("\\.ya?ml$", ""));
        }
        if (Files.exists(chosen) && !Files.isDirectory(chosen)) {
            throw CliException.input("--out " + chosen + ": exists and is not a directory");
        }
        return chosen;
    }

    /** Returns the rows that are to be run; those that are there must be of this plan. */
    private List<SweepRow> open(Path folder, RowStore store, int last, List<SweepRow> rows) throws IOException {
        store.checkLast(last);
        List<SweepRow> open = new ArrayList<>();
        for (SweepRow row : rows) {
            if (!resume && store.has(row)) {
                throw CliException.input(
                        "--out " + folder + ": has rows of a sweep; --resume runs what is missing, or name another");
            }
            Optional<RowResult> there = store.read(row);
            if (there.isEmpty() || there.get().failed()) {
                open.add(row);
            }
        }
        return open;
    }

    /** Several shards may do this at a time. */
    private static void prepare(Path folder, Path plan, Shard part) throws IOException {
        Files.createDirectories(folder.resolve(RowStore.FOLDER));
        SweepCommands.keepPlan(plan, folder, part.index());
    }

    private void run(List<SweepRow> rows, RowStore store) {
        if (console().onTerminal()) {
            try (SweepProgress bar = new SweepProgress(console().err(), rows.size())) {
                new Pool(SweepCommands::run, store, Interrupt::requested, bar).run(rows, jobs);
            }
        } else {
            new Pool(SweepCommands::run, store, Interrupt::requested, row -> {}).run(rows, jobs);
        }
    }
}
