package dev.clockwire.storage.hoststack;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.InterruptVector;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.hoststack.nvmet.SsdBackend;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The SSD of a target, and the part of its driver that brings it up: attach, one queue pair, one vector for it. */
final class TargetSsd implements CoreProgram {
    /** Entries of the queue pair. */
    static final int ENTRIES = 1024;

    private static final int BUS = 0x0200;
    private static final int VECTOR = 1;
    private static final int NODE = 0;
    private static final long PATIENCE_PS = 30_000_000_000_000L;

    private final LabHost host;
    private final NvmeController ssd;
    private final InterruptVector vector;
    private final NvmeDriver driver;
    private @Nullable SsdBackend backend;
    private boolean making;
    private boolean made;
    private String failure = "";

    /** Adds the SSD to a host that is being built. */
    TargetSsd(Sim sim, LabHost host, NvmeSpec spec) {
        this.host = host;
        NamespaceSpec n = spec.namespaces().get(0);
        MemoryStore store = new MemoryStore("ssd0.ns1", n.blockBytes(), n.blocks(), PayloadMode.BYTES);
        ssd = new NvmeController(sim.root(), "ssd0", spec, BUS, List.of(store));
        host.host().attach(ssd.endpoint(), NODE);
        vector = host.host().addVector("ssd", this::interrupted);
        driver = new NvmeDriver(host.core(), ssd.endpoint().barAddress(0), 1);
    }

    private void interrupted() {
        if (made) {
            Objects.requireNonNull(backend).interrupted();
        }
    }

    /** Returns the controller. */
    NvmeController controller() {
        return ssd;
    }

    /** Returns the bytes of a block. */
    int blockBytes() {
        return ssd.spec().namespaces().get(0).blockBytes();
    }

    /** Returns the blocks of the namespace. */
    long blocks() {
        return ssd.spec().namespaces().get(0).blocks();
    }

    /** Attaches the SSD for a backend; runs the simulation until it can be used. */
    void attach(Sim sim, SsdBackend user) {
        backend = user;
        long message = host.host()
                .memory()
                .allocate("ssd.msi", 64, Allocation.Kind.REAL, 64)
                .address();
        vector.at(message);
        ssd.vectors().program(VECTOR, message, VECTOR);
        Objects.requireNonNull(ssd.endpoint().config()).setVectors(true, false);
        driver.interruptBy(VECTOR);
        host.core().run(this);
        if (!sim.runUntil(() -> made || !failure.isEmpty(), sim.now() + PATIENCE_PS) || !failure.isEmpty()) {
            throw new ConfigurationException(
                    ssd.path(), sim.now(), "cannot be attached: " + (failure.isEmpty() ? "no answer" : failure));
        }
    }

    @Override
    public void step(CpuCore core) {
        boolean moved = driver.poll();
        if (driver.stage() == NvmeDriver.Stage.FAILED) {
            failure = driver.failure();
            return;
        }
        if (made || driver.stage().compareTo(NvmeDriver.Stage.IDENTIFY) < 0) {
            return; // it is done, waits for a register, or has asked to be called again
        }
        if (driver.stage() == NvmeDriver.Stage.READY && !making) {
            making = true;
            moved = true;
            SsdBackend b = Objects.requireNonNull(backend);
            int entries = Math.min(ENTRIES, driver.maxEntries());
            b.use(driver.createQueuePair(entries, false, b::ended, this::made), entries);
        }
        NvmeQueuePair admin = driver.admin();
        if (moved || admin == null) {
            core.wake();
        } else {
            core.idle(admin.next(), CqEntry.BYTES);
        }
    }

    private void made(int status) {
        if (status == 0) {
            made = true;
        } else {
            failure = "no queue pair: status " + status;
        }
    }
}
