package dev.clockwire.storage.nvmf.offload;

import dev.clockwire.nic.context.OffloadNamespace;
import dev.clockwire.nic.context.OffloadQueue;
import dev.clockwire.nic.driver.HwOffload;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.DeviceMemory;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.storage.bdev.NvmeBdev;
import dev.clockwire.storage.nvmf.subsystem.Namespace;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.target.TargetOffload;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The offload of a simulated NIC. It serves namespaces that are SSDs of its host, up to four SSDs that take 128 KiB in a command, as hosts see them:
 * nothing may lie between. Commands for others, and queues for whose capsules there is no device memory, are the target's. Commands and data pass
 * through memory of the host, or through each SSD's own, from device to device.
 */
public final class NicOffload implements TargetOffload {
    private final Device device;
    private final HwOffload nic;
    private final OffloadSsds ssds;
    private final List<Queue> queues = new ArrayList<>();
    private final StagingRegions regions;

    /**
     * Uses a NIC.
     *
     * @param device of the NIC
     * @param core of its host
     * @param place what commands and data pass through: memory of that host, or controller memory of each SSD, which has as much as {@link
     *     #controllerMemory} says and is not served otherwise
     */
    public NicOffload(Device device, HwOffload nic, Cpu core, OffloadMemory.Place place) {
        this.device = device;
        this.nic = nic;
        boolean inHost = place == OffloadMemory.Place.HOST;
        ssds = new OffloadSsds(nic, inHost ? core.memory() : null, this::tellAll);
        regions = new StagingRegions(ssds, this::tellAll);
    }

    /** Returns the bytes of controller memory that an SSD needs for a NIC that keeps so many commands: a power of two, as such memory is. */
    public static long controllerMemory(int contexts) {
        return Long.highestOneBit(OffloadSsds.needed(contexts) - 1) << 1;
    }

    /**
     * Checks an SSD for {@link OffloadMemory.Place#CONTROLLER}.
     *
     * @param bytes of its controller memory buffer, 0 if it has none
     * @throws ConfigurationException if these are too few
     */
    public static void checkMemory(String ssd, long bytes, int contexts) {
        OffloadSsds.check(ssd, bytes, contexts);
    }

    private void tellAll() {
        queues.forEach(Queue::tell);
    }

    @Override
    public Device device() {
        return device;
    }

    /** Returns the block, for its counters. */
    public NvmeOffload block() {
        return nic.block();
    }

    /** Returns how many queues it shares with the target. */
    public int queues() {
        return queues.size();
    }

    @Override
    public Stats stats() {
        return new Stats(queues.size(), block().taken(), block().passed(), block().failures());
    }

    /** The ring of receives is a power of two. */
    @Override
    public int receives(int depth) {
        return depth < 2 ? 1 : Integer.highestOneBit(depth - 1) << 1;
    }

    @Override
    public void share(
            ProtectionDomain pd,
            Context context,
            QueuePair qp,
            Buffers buffers,
            Consumer<@Nullable OffloadedQueue> then) {
        Queue q = new Queue(pd, qp, receives(buffers.slots()), SqEntry.BYTES + buffers.dataBytes());
        try {
            Completion<DeviceMemory> memory = context.allocDm(q.bytes());
            memory.whenFailed(why -> then.accept(null));
            memory.whenDone(dm -> {
                q.memory = dm;
                share(pd, q, buffers, then);
            });
        } catch (VerbsException noRoom) {
            then.accept(null);
        }
    }

    private void share(ProtectionDomain pd, Queue q, Buffers buffers, Consumer<@Nullable OffloadedQueue> then) {
        DeviceMemory dm = q.memory;
        if (dm == null) {
            return;
        }
        EnumSet<AccessFlag> local = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.ZERO_BASED);
        Completion<MemoryRegion> capsules = pd.regDmMr(dm, 0, q.bytes(), local);
        capsules.whenFailed(why -> then.accept(null));
        capsules.whenDone(region -> {
            q.region = region;
            // what SSDs lend is registered one by one, when they are known
            Completion<MemoryRegion> staging = ssds.isInHost() ? regions.of(pd, 0) : capsules;
            staging.whenFailed(why -> then.accept(null));
            staging.whenDone(data -> {
                OffloadQueue.Software software = new OffloadQueue.Software(
                        buffers.slots(), buffers.commands(), buffers.data(), buffers.dataBytes());
                HwOffload.Capsules at = new HwOffload.Capsules(region.lkey(), region.address(), q.capsule);
                nic.share(q.qp, at, software).whenDone(qpn -> {
                    queues.add(q);
                    then.accept(q);
                });
            });
        });
    }

    @Override
    public void leave(ProtectionDomain pd) {
        regions.leave(pd);
    }

    @Override
    public void changed(Subsystem subsystem) {
        for (Queue q : queues) {
            if (q.subsystem == subsystem) {
                q.tell();
            }
        }
    }

    private List<OffloadNamespace> namespaces(Subsystem of, ProtectionDomain pd) {
        List<OffloadNamespace> all = new ArrayList<>();
        for (Namespace n : of.namespaces()) {
            int disk = n.bdev() instanceof NvmeBdev d ? ssds.number(d.ssd()) : OffloadSsds.NONE;
            if (n.bdev() instanceof NvmeBdev d && disk != OffloadSsds.NONE) {
                Completion<MemoryRegion> staging = regions.of(pd, disk);
                if (staging.isDone() && !staging.isFailed()) {
                    int key = staging.get().lkey();
                    all.add(new OffloadNamespace(n.nsid(), disk, d.nsid(), d.blockBytes(), d.blocks(), key));
                }
            }
        }
        return all;
    }

    /** A queue of a host. */
    private final class Queue implements OffloadedQueue {
        private final ProtectionDomain pd;
        private final QueuePair qp;
        private final int receives;
        private final int capsule;
        private @Nullable DeviceMemory memory;
        private @Nullable MemoryRegion region;
        private @Nullable Subsystem subsystem;
        private int entries;

        Queue(ProtectionDomain pd, QueuePair qp, int receives, int capsule) {
            this.pd = pd;
            this.qp = qp;
            this.receives = receives;
            this.capsule = capsule;
        }

        long bytes() {
            return (long) receives * capsule;
        }

        @Override
        public void post(long wrId) {
            MemoryRegion to = region;
            if (to == null) {
                return;
            }
            ReceiveBatch batch = new ReceiveBatch(receives, 1);
            for (int i = 0; i < receives; i++) {
                ReceiveEntry r = batch.add();
                r.wrId = wrId | i;
                r.sges().add(to.address() + (long) i * capsule, capsule, to.lkey());
            }
            qp.postReceive(batch);
        }

        @Override
        public void serve(Subsystem to, int size) {
            subsystem = to;
            entries = size;
            tell();
        }

        private void tell() {
            Subsystem s = subsystem;
            if (s != null) {
                nic.serve(qp, namespaces(s, pd), entries);
            }
        }

        @Override
        public void release(Cpu cpu, int slot) {
            nic.release(cpu, qp, slot);
        }

        @Override
        public void close() {
            queues.remove(this);
            MemoryRegion r = region;
            DeviceMemory m = memory;
            if (r != null) {
                r.close();
            }
            if (m != null) {
                m.close();
            }
        }
    }
}
