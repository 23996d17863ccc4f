package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.OffloadQueue;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.offload.OffloadDisk;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * Switches the NVMe-oF offload of a {@link HwDevice}, queue pair by queue pair. A queue pair is marked when it is connected, has posted all its
 * receives into device memory and no send; what its host sends from then on the NIC answers. One that is not marked is served by the host's core,
 * as ever.
 */
public final class HwOffload {
    private final HwDevice device;
    private final NvmeOffload block;

    HwOffload(HwDevice device) {
        this.device = device;
        NvmeOffload found = device.nic().offload();
        if (found == null) {
            throw new ConfigurationException(device.name() + " has no NVMe-oF offload: nic.nvmf.contexts is 0");
        }
        block = found;
    }

    /** Returns the bus address of the window that the SSD's completion ring is to lie in. */
    public long window() {
        return device.nic().offloadWindow();
    }

    /** Returns the commands that the NIC keeps at a time. */
    public int contexts() {
        return block.contexts();
    }

    /** Returns the block, for its counters. */
    public NvmeOffload block() {
        return block;
    }

    /** Sets the SSD; once, before the first queue pair is marked. */
    public void serve(OffloadDisk disk) {
        block.serve(disk);
    }

    /**
     * Marks a queue pair.
     *
     * @param lkey of the device memory that receives go to
     * @param va address in it of the buffer of the first receive; the others follow
     * @param bytes of a buffer
     * @param queueSize entries of the host's submission queue, 2 to 65536
     * @throws ConfigurationException if the receives are not in device memory, or not a power of two
     */
    public Completion<Integer> mark(QueuePair qp, int lkey, long va, int bytes, int queueSize) {
        Completion<Integer> done = new Completion<>();
        device.commands().submit(() -> {
            QpContext context = context(qp);
            MemoryKey key = table().keys().find(lkey);
            int entries = 1 << Math.max(0, context.logRqEntries);
            if (key == null || !device.nic().chipMemory().holds(key.translate(va)) || bytes < 64) {
                throw new ConfigurationException("offload: capsules of queue pair 0x" + Integer.toHexString(qp.qpn())
                        + " must go to device memory, 64 bytes or more each");
            }
            if (queueSize < 2 || queueSize > 1 << Short.SIZE) {
                throw new ConfigurationException("offload: a queue of " + queueSize + ": must be 2..65536");
            }
            context.offload = new OffloadQueue(key.translate(va), bytes, entries, queueSize);
            done.complete(qp.qpn());
        });
        return done;
    }

    /** Gives a queue pair back to the host's core; what is under way for it is forgotten. */
    public Completion<Integer> unmark(QueuePair qp) {
        Completion<Integer> done = new Completion<>();
        device.commands().submit(() -> {
            QpContext context = context(qp);
            context.offload = null;
            block.control().send(device.nic().now() + 1, NvmeOffload.RELEASE, context.slot, 0);
            done.complete(qp.qpn());
        });
        return done;
    }

    private QpContext context(QueuePair qp) {
        QpContext context = table().qp(qp.qpn());
        if (context == null) {
            throw new ConfigurationException(device.name() + " has no queue pair " + qp.qpn());
        }
        return context;
    }

    private ContextTable table() {
        return device.nic().parts().table();
    }
}
