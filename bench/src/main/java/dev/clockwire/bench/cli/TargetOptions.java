package dev.clockwire.bench.cli;

import dev.clockwire.bench.rpc.ConfigFile;
import dev.clockwire.bench.rpc.SimTarget;
import dev.clockwire.bench.rpc.TargetMachine;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.app.AppSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Root of all random streams (default: ${DEFAULT-VALUE}).")
    private long seed;

    TargetOptions() {}

    /** Builds the machine and starts the process; says on standard error what has no effect. */
    SimTarget start(Console console) throws IOException {
        AppSpec spec = spec();
        ConfigFile file = config == null ? ConfigFile.none() : ConfigFile.read(config);
        SimTarget target = new SimTarget(TargetMachine.start(spec, seed), file, waits);
        target.remarks().forEach(console::note);
        return target;
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

    long seed() {
        return seed;
    }
}
