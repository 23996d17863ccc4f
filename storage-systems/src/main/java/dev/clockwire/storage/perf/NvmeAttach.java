package dev.clockwire.storage.perf;

import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostMemory;
import java.util.List;

/** Attaches to one SSD on one core, and makes the queue pairs that others will use there, one after the other. */
final class NvmeAttach implements CoreProgram {
    private final HostMemory memory;
    private final CpuCore core;
    private final NvmeDriver driver;
    private final List<NvmeQueue> queues;
    private final LocalSpec.Use use;
    private final int wanted;
    private int made;
    private boolean making;
    private String failure = "";

    NvmeAttach(Host host, CpuCore core, NvmeController ssd, List<NvmeQueue> queues, LocalSpec.Use use) {
        memory = host.hostMemory();
        this.core = core;
        this.queues = queues;
        this.use = use;
        wanted = queues.size() * use.queuePairs() + use.unused();
        driver = new NvmeDriver(core, ssd.endpoint().barAddress(0), Math.max(1, wanted));
    }

    boolean isOver() {
        return !failure.isEmpty() || (driver.stage() == NvmeDriver.Stage.READY && made == wanted);
    }

    String failure() {
        return failure;
    }

    @Override
    public void step(CpuCore c) {
        boolean moved = driver.poll();
        if (driver.stage() == NvmeDriver.Stage.FAILED) {
            failure = driver.failure();
            return;
        }
        if (driver.stage().compareTo(NvmeDriver.Stage.IDENTIFY) < 0) {
            return; // it waits for a register, or has asked to be called again
        }
        if (driver.stage() == NvmeDriver.Stage.READY && !making) {
            if (made == wanted) {
                return;
            }
            moved = true;
            make();
        }
        NvmeQueuePair admin = driver.admin();
        if (moved || admin == null) {
            core.wake();
        } else {
            core.idle(admin.next(), CqEntry.BYTES);
        }
    }

    private void make() {
        if (driver.ioQueues() < wanted) {
            failure = wanted + " I/O queue pairs are wanted, the controller has " + driver.ioQueues();
            return;
        }
        making = true;
        int entries = Math.min(use.entries(), driver.maxEntries());
        if (made < queues.size() * use.queuePairs()) {
            queues.get(made / use.queuePairs()).make(driver, memory, made % use.queuePairs(), entries, this::made);
        } else {
            driver.createQueuePair(entries, use.delayed(), (tag, status, result) -> {}, this::made);
        }
    }

    private void made(int status) {
        making = false;
        made++;
        if (status != 0) {
            failure = "queue pair " + made + ": " + NvmeStatus.describe(status);
        }
    }
}
