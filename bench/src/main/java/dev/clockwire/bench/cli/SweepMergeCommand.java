package dev.clockwire.bench.cli;

import dev.clockwire.bench.sweep.PlanFile;
import dev.clockwire.bench.sweep.ResultFiles;
import dev.clockwire.bench.sweep.Results;
import dev.clockwire.bench.sweep.RowStore;
import dev.clockwire.bench.sweep.SweepPlan;
import dev.clockwire.bench.sweep.SweepRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sweep merge DIR}: results of what shards have run. */
@Command(name = "merge", description = "Make the results of the rows that shards have left in DIR or in folders in it.")
final class SweepMergeCommand extends ClockwireTask {
    @Parameters(index = "0", paramLabel = "DIR", description = "The --out of the shards, or the folder around theirs.")
    private Path folder = Path.of("");

    @Mixin
    private JsonOption json = new JsonOption();

    SweepMergeCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        List<Path> folders = folders();
        Path plan = folders.get(0).resolve(ResultFiles.PLAN);
        SweepPlan read = PlanFile.read(plan, SweptCommandLine::of);
        List<SweepRow> rows = read.rows();
        RowStore store = new RowStore(folders);
        store.checkLast(rows.size());
        Results results = Results.read(read, rows, store);
        results.checkMeasures();
        SweepCommands.keepPlan(plan, folder, 0);
        ResultFiles.write(results, folder);
        SweepCommands.report(console(), results, folder, json.wanted());
        return results.missing().isEmpty() && results.failed() == 0 ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    private List<Path> folders() throws IOException {
        List<Path> folders = new ArrayList<>(List.of(folder));
        try (Stream<Path> below = Files.list(folder)) {
            folders.addAll(below.filter(Files::isDirectory).sorted().toList());
        }
        folders.removeIf(
                f -> !Files.isDirectory(f.resolve(RowStore.FOLDER)) || !Files.exists(f.resolve(ResultFiles.PLAN)));
        if (folders.isEmpty()) {
            throw CliException.input(
                    folder + ": no sweep: neither here nor one folder below are " + ResultFiles.PLAN + " and rows");
        }
        return folders;
    }
}
