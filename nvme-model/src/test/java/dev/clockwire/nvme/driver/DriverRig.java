package dev.clockwire.nvme.driver;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A host with an SSD, and a program that attaches to it and then does what a test says. */
public final class DriverRig {
    static final long MS = 1_000_000_000L;

    final Sim sim;
    final Host host;
    final CpuCore core;
    final NvmeController ssd;
    final List<BlockStore> stores = new ArrayList<>();
    NvmeDriver driver;

    @Nullable
    NvmeQueuePair queue;
    /** Called in each step once there is a queue pair; returns whether it did something. */
    Work work = () -> false;

    int made = -1;
    NvmeDone done = (tag, status, result) -> {};

    /** What a test does in a step. */
    interface Work {
        boolean step();
    }

    DriverRig(NvmeSpec spec, SimSpec kernel, PayloadMode mode) {
        sim = new Sim(kernel.withWatchdogPs(0));
        host = new Host(sim.root(), "host", HostSpec.server(), CpuSpec.server(), mode);
        core = host.addCore();
        for (NamespaceSpec n : spec.namespaces()) {
            stores.add(new MemoryStore("ns" + stores.size(), n.blockBytes(), n.blocks(), mode));
        }
        ssd = new NvmeController(sim.root(), "ssd", spec, 0x0100, stores);
        host.attach(ssd.endpoint(), 0);
        sim.elaborate();
        driver = new NvmeDriver(core, ssd.endpoint().barAddress(0), 8);
    }

    DriverRig(String media) {
        this(NvmeSpec.of(media), SimSpec.of(1), PayloadMode.BYTES);
    }

    /** Attaches and makes a queue pair. */
    DriverRig ready(int entries, boolean delayed) {
        core.run(c -> step(entries, delayed));
        if (!sim.runUntil(() -> made >= 0 || driver.stage() == NvmeDriver.Stage.FAILED, 10_000 * MS)) {
            throw new AssertionError("no queue pair: " + driver.stage());
        }
        return this;
    }

    private void step(int entries, boolean delayed) {
        boolean moved = driver.poll();
        if (driver.stage().compareTo(NvmeDriver.Stage.IDENTIFY) < 0 || driver.stage() == NvmeDriver.Stage.FAILED) {
            return;
        }
        if (queue == null && driver.stage() == NvmeDriver.Stage.READY) {
            queue = driver.createQueuePair(entries, delayed, (t, s, r) -> done.done(t, s, r), status -> made = status);
            moved = true;
        }
        NvmeQueuePair io = queue;
        if (made == 0 && io != null) {
            moved |= work.step();
            moved |= io.poll(64) > 0;
        }
        if (moved) {
            core.wake();
            return;
        }
        core.idle(Objects.requireNonNull(driver.admin()).next(), 16);
        if (io != null) {
            core.idle(io.next(), 16);
        }
    }

    NvmeQueuePair queue() {
        return Objects.requireNonNull(queue);
    }

    long memory(String name, int bytes) {
        return host.memory().allocate(name, bytes, Allocation.Kind.BULK, 4096).address();
    }
}
