package dev.clockwire.bench.cli;

import dev.clockwire.bench.storage.ComparePlot;
import dev.clockwire.bench.storage.CompareText;
import dev.clockwire.bench.storage.StorageCompare;
import dev.clockwire.bench.storage.StorageSystems;
import dev.clockwire.sim.error.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code storage compare}: the table of all systems. */
@Command(
        name = "compare",
        description = "What an operation of each system costs on the wire, and how long it takes, with three replicas.")
final class StorageCompareCommand extends ClockwireTask {
    @Option(names = "--systems", paramLabel = "NAME", split = ",", description = "Which ones (default: all).")
    private List<String> systems = new ArrayList<>();

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            converter = ByteSize.Converter.class,
            defaultValue = "4096,65536,1048576,4194304",
            description = "Sizes of values, multiples of 512 (default: ${DEFAULT-VALUE}).")
    private List<ByteSize> sizes = new ArrayList<>();

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,4,16,64",
            description = "Clients that load a system together, 1 to 64, a row each (default: ${DEFAULT-VALUE}).")
    private List<Integer> clients = new ArrayList<>();

    @Option(
            names = "--depth",
            paramLabel = "N",
            defaultValue = "1",
            description = "Operations that each client has under way (default: ${DEFAULT-VALUE}).")
    private int depth = 1;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write all rows there, comma-separated.")
    private @Nullable Path csv;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Draw latency over size and throughput over clients there.")
    private @Nullable Path plot;

    private static final int BLOCK = 512;

    @Mixin
    private HardwareOptions hardware = new HardwareOptions();

    @Mixin
    private ClusterOptions machines = new ClusterOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    StorageCompareCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        List<String> names = systems.isEmpty() ? StorageSystems.names() : systems;
        for (String name : names) {
            if (!StorageSystems.names().contains(name)) {
                throw CliException.usage(
                        "--systems: unknown '" + name + "'" + Nearest.hint(name, StorageSystems.names()));
            }
        }
        clients.forEach(n -> Range.check("--clients", n, 1, 64, ""));
        List<Integer> bytes = new ArrayList<>();
        for (ByteSize n : sizes) {
            bytes.add((int) n.in("--sizes", BLOCK, 64 << 20, ""));
            if (n.bytes() % BLOCK != 0) {
                throw CliException.usage("--sizes " + n.typed() + ": must be multiples of " + BLOCK);
            }
        }
        Range.check("--depth", depth, 1, 1024, "");
        Path table = csv;
        Path picture = plot;
        if (table != null) {
            WholeFile.directory("--csv", table);
        }
        if (picture != null) {
            WholeFile.directory("--plot", picture);
        }
        WholeFile.different("--csv", table, "--plot", picture);
        StorageCompare compare = new StorageCompare(
                ProfileChoice.of(hardware.profile(), hardware.overrides()),
                machines.isSoft(),
                machines.disk(),
                hardware.seed(),
                depth);
        compare.stopWhen(Interrupt::requested);
        List<StorageCompare.Row> rows = compare.run(names, bytes, clients, line -> {
            if (!json.wanted()) {
                console().note(line);
            }
        });
        boolean interrupted = Interrupt.requested();
        if (table != null) {
            WholeFile.write("--csv", table, CompareText.csv(rows));
        }
        if (picture != null) {
            WholeFile.write("--plot", picture, ComparePlot.svg(ComparePlot.points(rows)));
        }
        if (json.wanted()) {
            JsonDocument d = new JsonDocument("storage-compare")
                    .with("profile", hardware.profile())
                    .with("seed", hardware.seed())
                    .with("rows", rows);
            console().json(interrupted ? d.with("interrupted", true) : d);
        } else {
            CompareText.wire(rows).forEach(console()::line);
            console().line("");
            CompareText.speed(rows).forEach(console()::line);
        }
        if (interrupted) {
            console().note("interrupted: the rows are those that were complete by then");
            return ExitCode.INTERRUPTED;
        }
        return ExitCode.OK;
    }
}
