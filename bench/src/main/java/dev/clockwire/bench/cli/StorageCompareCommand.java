package dev.clockwire.bench.cli;

import dev.clockwire.bench.storage.StorageCompare;
import dev.clockwire.bench.storage.StorageSystems;
import dev.clockwire.sim.error.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            defaultValue = "4096,65536",
            description = "Sizes of values, multiples of 512 (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = new ArrayList<>();

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            defaultValue = "4",
            description = "Clients that load a system together, a row each (default: ${DEFAULT-VALUE}).")
    private List<Integer> clients = new ArrayList<>();

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
                throw CliException.input(
                        "--systems: unknown '" + name + "'" + Nearest.hint(name, StorageSystems.names()));
            }
        }
        clients.forEach(n -> Range.check("--clients", n, 1, 64, ""));
        sizes.forEach(n -> Range.check("--sizes", n, 512, 64 << 20, ""));
        StorageCompare compare = new StorageCompare(
                ProfileChoice.of(hardware.profile(), hardware.overrides()),
                machines.isSoft(),
                machines.disk(),
                hardware.seed());
        List<StorageCompare.Row> rows = compare.run(names, sizes, clients, line -> {
            if (!json.wanted()) {
                console().note(line);
            }
        });
        if (json.wanted()) {
            console()
                    .json(new JsonDocument("storage-compare")
                            .with("profile", hardware.profile())
                            .with("seed", hardware.seed())
                            .with("rows", rows));
        } else {
            text(rows);
        }
        return ExitCode.OK;
    }

    private void text(List<StorageCompare.Row> rows) {
        console()
                .line(String.format(
                        Locale.ROOT,
                        "%-11s %-6s %9s %5s %9s %6s %11s %8s %10s %10s %10s   bytes out/in: nodes, client",
                        "system",
                        "op",
                        "size",
                        "SEND",
                        "one-sided",
                        "trips",
                        "alone us",
                        "clients",
                        "Gbit/s",
                        "p50 us",
                        "p99 us"));
        for (StorageCompare.Row r : rows) {
            StringBuilder nics = new StringBuilder();
            r.nics().forEach(n -> nics.append(' ').append(n.tx()).append('/').append(n.rx()));
            console()
                    .line(String.format(
                            Locale.ROOT,
                            "%-11s %-6s %9d %5d %9d %6d %11.2f %8d %10.3f %10.2f %10.2f  %s",
                            r.system(),
                            r.op(),
                            r.size(),
                            r.send(),
                            r.oneSided(),
                            r.trips(),
                            r.aloneUs(),
                            r.clients(),
                            r.gbps(),
                            r.p50Us(),
                            r.p99Us(),
                            nics));
        }
    }
}
