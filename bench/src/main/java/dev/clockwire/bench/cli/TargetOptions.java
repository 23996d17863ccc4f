package dev.clockwire.bench.cli;

import dev.clockwire.bench.rpc.ConfigFile;
import dev.clockwire.bench.rpc.SimTarget;
import dev.clockwire.bench.rpc.TargetMachine;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.app.AppCosts;
import dev.clockwire.storage.app.AppSpec;
import dev.clockwire.storage.app.StorageApp;
import dev.clockwire.storage.reactor.CoreMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a simulated {@code nvmf_tgt}. */
final class TargetOptions {
    @Option(
            names = {"-m", "--cpumask"},
            paramLabel = "MASK",
            defaultValue = "0x1",
            description = "Cores with reactors, a mask or a list such as [0,2-3] (default: ${DEFAULT-VALUE}).")
    private String cores = "";

    @Option(
            names = {"-p", "--main-core"},
            paramLabel = "CORE",
            description = "Core that RPC is served on (default: the first).")
    private @Nullable Integer mainCore;

    @Option(
            names = {"-s", "--mem-size"},
            paramLabel = "MB",
            defaultValue = "" + AppSpec.DEFAULT_MB,
            description = "Huge pages that pools are made of (default: ${DEFAULT-VALUE}).")
    private int memoryMb;

    @Option(
            names = {"-c", "--config", "--json-config"},
            paramLabel = "FILE",
            description = "Configuration in SPDK's JSON.")
    private @Nullable Path config;

    @Option(names = "--wait-for-rpc", description = "Wait for framework_start_init.")
    private boolean waits;

    @Option(names = "--interrupt-mode", description = "Reactors sleep while there is nothing to do.")
    private boolean interrupts;

    @Option(
            names = "--ssd",
            paramLabel = "ADDRESS[=MEDIA]",
            description = "An SSD at a PCI address; may be repeated (default: where the file attaches one, or "
                    + TargetMachine.FIRST_SSD + ").")
    private List<String> ssds = List.of();

    @Option(
            names = "--media",
            paramLabel = "NAME",
            defaultValue = "p5800x",
            description = "Media of the SSDs: p5800x, p4800x, pm9a3, null, ram (default: ${DEFAULT-VALUE}).")
    private String media = "";

    @Option(
            names = "--cmb",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "Controller memory buffer of each SSD, a power of two such as 32m (default: none).")
    private String cmb = "0";

    @Option(
            names = "--address",
            paramLabel = "IP",
            defaultValue = "",
            description = "IPv4 address of the NIC (default: that of the file's first listener, or 10.0.0.2).")
    private String address = "";

    @Mixin
    private HardwareOptions hardware = new HardwareOptions();

    TargetOptions() {}

    /** Builds the machine and starts the process; says on standard error what has no effect. */
    SimTarget start(Console console) throws IOException {
        AppSpec spec = spec();
        ConfigFile file = config == null ? ConfigFile.none() : ConfigFile.read(config);
        TargetMachine machine = machine();
        StorageApp app = new StorageApp(machine.build(file), spec.waiting(), AppCosts.of(machine.profile()));
        app.knowFiles(TargetOptions::bytes);
        SimTarget target = new SimTarget(app, file, waits);
        target.remarks().forEach(console::note);
        return target;
    }

    /** Returns the length of a regular file, -1 if it is none. */
    private static long bytes(String name) {
        try {
            Path file = Path.of(name);
            return Files.isRegularFile(file) ? Files.size(file) : -1;
        } catch (IOException | InvalidPathException e) {
            return -1;
        }
    }

    private AppSpec spec() {
        try {
            CoreMask mask = CoreMask.parse(cores);
            int main = mainCore == null ? mask.next(0) : mainCore;
            return new AppSpec(mask, main, memoryMb, waits, interrupts);
        } catch (ConfigurationException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    private TargetMachine machine() {
        Profile chosen = ProfileChoice.of(hardware.profile(), hardware.overrides());
        try {
            List<TargetMachine.Ssd> places = new ArrayList<>();
            for (String text : ssds) {
                int equals = text.indexOf('=');
                String at = equals < 0 ? text : text.substring(0, equals);
                places.add(new TargetMachine.Ssd(at, equals < 0 ? media : text.substring(equals + 1)));
            }
            return new TargetMachine(
                    chosen, hardware.seed(), places, media, address, Capacity.parse("--cmb", cmb, 0, 1 << 30));
        } catch (ConfigurationException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    String profile() {
        return hardware.profile();
    }

    long seed() {
        return hardware.seed();
    }
}
