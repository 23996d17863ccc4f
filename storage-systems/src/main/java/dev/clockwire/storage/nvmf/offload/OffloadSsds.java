package dev.clockwire.storage.nvmf.offload;

import dev.clockwire.nic.driver.HwOffload;
import dev.clockwire.nic.offload.OffloadDisk;
import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.storage.bdev.NvmeBdev;
import dev.clockwire.storage.bdev.NvmeSsd;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The SSDs that the NIC drives: each gives it a queue pair, one after the other, whose completion ring lies in the NIC's window. The rest is in memory
 * of the host, or in each SSD's own.
 */
final class OffloadSsds {
    /** No SSD of the NIC's, or not yet. */
    static final int NONE = -1;

    /** A page of completions each: as many as the window has pages. */
    private static final int ENTRIES = 256;

    private static final int WINDOW = 4;
    private static final int MOST = 32 * OffloadDisk.PAGE;

    private final HwOffload nic;
    private final @Nullable HostStaging host;
    private final List<NvmeSsd> wanted = new ArrayList<>();
    private final List<NvmeSsd> refused = new ArrayList<>();
    private final List<NvmeSsd> disks = new ArrayList<>();
    private final Runnable changed;
    private boolean asking;

    /**
     * Allocates what data pass through.
     *
     * @param memory of the host; null: the SSDs' own serves
     * @param changed is told when there is one more
     */
    OffloadSsds(HwOffload nic, @Nullable AddressSpace memory, Runnable changed) {
        this.nic = nic;
        this.changed = changed;
        host = memory == null ? null : HostStaging.in(memory, nic.contexts(), MOST);
    }

    /** Returns the controller memory that an SSD needs, in bytes. */
    static long needed(int contexts) {
        return new OffloadMemory(0, ENTRIES, contexts, MOST).bytes();
    }

    /** Refuses an SSD that has not enough. */
    static void check(String ssd, long bytes, int contexts) {
        if (contexts > 0 && bytes < needed(contexts)) { // a NIC without any says so itself
            throw new ConfigurationException("offload_memory controller: " + ssd + " has a controller memory buffer of "
                    + bytes + " B: must be " + needed(contexts) + " B or more for nic.nvmf.contexts " + contexts);
        }
    }

    boolean isInHost() {
        return host != null;
    }

    /** Registers what data of an SSD pass through. */
    Completion<MemoryRegion> register(ProtectionDomain pd, int disk) {
        EnumSet<AccessFlag> local = EnumSet.of(AccessFlag.LOCAL_WRITE);
        HostStaging h = host;
        if (h != null) {
            return pd.regMr(h.buffers().address(), h.buffers().length(), local);
        }
        DmaBuf lent = Objects.requireNonNull(disks.get(disk).controllerMemory());
        return pd.regDmabufMr(lent, 0, needed(nic.contexts()), lent.address(), local);
    }

    /** Returns the NIC's number of an SSD; one that it does not have is asked for its queue pair. */
    int number(NvmeSsd ssd) {
        int i = disks.indexOf(ssd);
        if (i < 0 && !wanted.contains(ssd) && !refused.contains(ssd)) {
            wanted.add(ssd);
            ask();
        }
        return i < 0 ? NONE : i;
    }

    private void ask() {
        if (asking || wanted.isEmpty()) {
            return;
        }
        NvmeSsd ssd = wanted.remove(0);
        DmaBuf lent = ssd.controllerMemory();
        if (disks.size() == WINDOW || (!isInHost() && (lent == null || lent.length() < needed(nic.contexts())))) {
            refused.add(ssd);
            ask();
            return;
        }
        asking = true;
        OffloadMemory own =
                isInHost() || lent == null ? null : new OffloadMemory(lent.address(), ENTRIES, nic.contexts(), MOST);
        NvmeSsd.Lent from = own == null ? null : new NvmeSsd.Lent(own.sq(), own.lists(), own.listContent());
        ssd.delegate(ENTRIES, nic.window(), from, place -> {
            asking = false;
            given(ssd, place, own);
            ask();
        });
    }

    private void given(NvmeSsd ssd, NvmeQueuePair.@Nullable QueuePlace place, @Nullable OffloadMemory own) {
        if (place == null || ssd.mostBytes() < MOST) {
            refused.add(ssd);
            return;
        }
        NvmeBdev first = ssd.devices().get(0);
        HostStaging h = host;
        long staging = own != null
                ? own.staging()
                : Objects.requireNonNull(h).buffers().address();
        long lists =
                own != null ? own.lists() : Objects.requireNonNull(h).lists().address();
        nic.serve(new OffloadDisk(
                1,
                first.blockBytes(),
                first.blocks(),
                ENTRIES,
                place.sq(),
                place.sqDoorbell(),
                place.cqDoorbell(),
                staging,
                0,
                MOST,
                lists));
        disks.add(ssd);
        changed.run();
    }
}
