package dev.clockwire.bench.rpc;

import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.app.AppSpec;
import dev.clockwire.storage.app.StorageApp;

/** The host that a simulated target runs on. */
public final class TargetMachine {
    private TargetMachine() {}

    /** Builds a host and starts a process on it, which waits for {@code framework_start_init}. */
    public static StorageApp start(AppSpec spec, long seed) {
        Sim sim = new Sim(SimSpec.of(seed).withWatchdogPs(0));
        Host host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
        sim.elaborate();
        return new StorageApp(host, spec.waiting());
    }
}
