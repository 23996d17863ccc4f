package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.OffloadNamespace;
import dev.clockwire.nic.context.OffloadQueue;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.offload.OffloadDisk;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Returns the bus address of the window that the completion ring of the next SSD is to lie in. */
    public long window() {
        return device.nic().offloadWindow() + block.windowUsed();
    }

    /** Returns the commands that the NIC keeps at a time. */
    public int contexts() {
        return block.contexts();
    }

    /** Returns the block, for its counters. */
    public NvmeOffload block() {
        return block;
    }

    /**
     * Adds an SSD; before the first queue pair is marked that uses it.
     *
     * @return its number
     * @throws ConfigurationException if the window has no room for its completion ring
     */
    public int serve(OffloadDisk disk) {
        return block.serve(disk);
    }

    /**
     * Where the receives of a queue pair go, which have all been posted: into device memory.
     *
     * @param lkey of that memory
     * @param va address in it of the buffer of the first receive; the others follow
     * @param bytes of a buffer, 64 or more
     */
    public record Capsules(int lkey, long va, int bytes) {}

    /**
     * Marks a queue pair: the NIC answers all its commands.
     *
     * @param queueSize entries of the host's submission queue, 2 to 65536
     * @throws ConfigurationException if the receives are not in device memory
     */
    public Completion<Integer> mark(QueuePair qp, Capsules capsules, int queueSize) {
        if (queueSize < 2 || queueSize > 1 << Short.SIZE) {
            throw new ConfigurationException("offload: a queue of " + queueSize + ": must be 2..65536");
        }
        OffloadDisk disk = block.disks().get(0);
        List<OffloadNamespace> all = List.of(
                new OffloadNamespace(disk.nsid(), 0, disk.nsid(), disk.blockBytes(), disk.blocks(), disk.stagingKey()));
        return mark(qp, capsules, queueSize, all, null);
    }

    /**
     * Marks a queue pair that the NIC shares with a program: it gets what the NIC does not execute, and all commands until {@link #serve(QueuePair,
     * List, int)} names namespaces. Receives complete with the work request id of the receive whose place is the number of the buffer that the
     * command is in; a receive that failed may also stand for a work request of the NIC that did. Sends, of 64 bytes at most as work requests, are posted as ever; a buffer is given back by {@link #release}.
     *
     * @throws ConfigurationException if the receives are not in device memory, or are fewer than the buffers
     */
    public Completion<Integer> share(QueuePair qp, Capsules capsules, OffloadQueue.Software software) {
        return mark(qp, capsules, 0, List.of(), software);
    }

    private Completion<Integer> mark(
            QueuePair qp,
            Capsules capsules,
            int queueSize,
            List<OffloadNamespace> namespaces,
            OffloadQueue.@Nullable Software software) {
        Completion<Integer> done = new Completion<>();
        device.commands().submit(() -> {
            QpContext context = context(qp);
            MemoryKey key = table().keys().find(capsules.lkey());
            int entries = 1 << Math.max(0, context.logRqEntries);
            long va = key == null ? 0 : key.translate(capsules.va());
            if (key == null || !device.nic().chipMemory().holds(va) || capsules.bytes() < 64) {
                throw new ConfigurationException("offload: capsules of queue pair 0x" + Integer.toHexString(qp.qpn())
                        + " must go to device memory, 64 bytes or more each");
            }
            if (software != null && software.slots() > entries) {
                throw new ConfigurationException("offload: " + software.slots() + " buffers for " + entries
                        + " receives: there must be a receive for each");
            }
            context.offload = new OffloadQueue(va, capsules.bytes(), entries, queueSize, namespaces, software);
            done.complete(qp.qpn());
        });
        return done;
    }

    /**
     * Says which namespaces the NIC serves from now on; of a queue pair that is no longer marked, nothing.
     *
     * @param queueSize entries of the host's submission queue, for SQHD; 0: the host wants none told
     */
    public void serve(QueuePair qp, List<OffloadNamespace> namespaces, int queueSize) {
        device.commands().submit(() -> {
            QpContext context = table().qp(qp.qpn());
            OffloadQueue marked = context == null ? null : context.offload;
            if (context != null && marked != null) {
                context.offload = marked.with(namespaces, queueSize);
            }
        });
    }

    /** Gives a buffer of a shared queue pair back: a store. */
    public void release(Cpu cpu, QueuePair qp, int buffer) {
        cpu.mmioWrite(device.nic().offloadStores(), qp.qpn() | (long) buffer << Integer.SIZE, Long.BYTES);
    }

    /** Gives a queue pair back to the host's core; what is under way for it is forgotten. One that is shared goes back when it is reset. */
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
