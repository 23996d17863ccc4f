package dev.clockwire.bench.cli;

import dev.clockwire.bench.sweep.PlanFile;
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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A sweep but for what runs its rows: threads of this process, or a cluster. What it leaves is made of the rows' files, so it does not depend on that. */
public abstract class SweepTask extends ClockwireTask {
    @Option(names = "--resume", description = "Run only what is missing or has failed in --out.")
    private boolean resume;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where rows and results go (default: the plan's name without .yaml).")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    /** Creates the command over the console that it prints to. */
    protected SweepTask(Console console) {
        super(console);
    }

    /** Returns the file of the plan. */
    protected abstract Path plan();

    /** Returns the part of the sweep that is to be run. */
    protected Shard part() {
        return Shard.ALL;
    }

    /**
     * Runs rows. Returns when all have ended, or early once {@link Interrupt#requested()}: rows that have not ended then are not told of.
     *
     * @param done takes each row when it has ended, from any thread
     */
    protected abstract void run(List<SweepRow> rows, BiConsumer<SweepRow, RowResult> done);

    @Override
    public final Integer call() throws IOException {
        Path plan = plan();
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
        if (!console().onTerminal()) {
            run(rows, store::write);
            return;
        }
        try (SweepProgress bar = new SweepProgress(console().err(), rows.size())) {
            run(rows, (row, result) -> {
                store.write(row, result);
                bar.accept(result);
            });
        }
    }
}
