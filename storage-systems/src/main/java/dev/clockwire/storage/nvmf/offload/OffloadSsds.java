package dev.clockwire.storage.nvmf.offload;

import dev.clockwire.nic.driver.HwOffload;
import dev.clockwire.nic.offload.OffloadDisk;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.bdev.NvmeBdev;
import dev.clockwire.storage.bdev.NvmeSsd;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The SSDs that the NIC drives: each gives it a queue pair, one after the other, whose completion ring lies in the NIC's window. */
final class OffloadSsds {
    /** No SSD of the NIC's, or not yet. */
    static final int NONE = -1;

    /** A page of completions each: as many as the window has pages. */
    private static final int ENTRIES = 256;

    private static final int WINDOW = 4;
    private static final int PAGE = OffloadDisk.PAGE;
    private static final int MOST = 32 * PAGE;

    private final HwOffload nic;
    private final Allocation staging;
    private final Allocation lists;
    private final List<NvmeSsd> wanted = new ArrayList<>();
    private final List<NvmeSsd> refused = new ArrayList<>();
    private final List<NvmeSsd> disks = new ArrayList<>();
    private final Runnable changed;
    private boolean asking;

    /**
     * Allocates what data pass through.
     *
     * @param changed is told when there is one more
     */
    OffloadSsds(HwOffload nic, AddressSpace memory, Runnable changed) {
        this.nic = nic;
        this.changed = changed;
        staging = memory.allocate("offload.staging", (long) nic.contexts() * MOST, Allocation.Kind.BULK, PAGE);
        lists = memory.allocate(
                "offload.lists", (long) nic.contexts() * OffloadDisk.LIST_BYTES, Allocation.Kind.REAL, PAGE);
        for (int i = 0; i < nic.contexts(); i++) {
            for (int page = 1; page < MOST / PAGE; page++) {
                long at = lists.address() + (long) i * OffloadDisk.LIST_BYTES + (long) Long.BYTES * (page - 1);
                memory.putLong(at, staging.address() + (long) i * MOST + (long) PAGE * page);
            }
        }
    }

    Allocation staging() {
        return staging;
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
        if (disks.size() == WINDOW) {
            refused.add(ssd);
            ask();
            return;
        }
        asking = true;
        ssd.delegate(ENTRIES, nic.window(), place -> {
            asking = false;
            given(ssd, place);
            ask();
        });
    }

    private void given(NvmeSsd ssd, NvmeQueuePair.@Nullable QueuePlace place) {
        if (place == null || ssd.mostBytes() < MOST) {
            refused.add(ssd);
            return;
        }
        NvmeBdev first = ssd.devices().get(0);
        nic.serve(new OffloadDisk(
                1,
                first.blockBytes(),
                first.blocks(),
                ENTRIES,
                place.sq(),
                place.sqDoorbell(),
                place.cqDoorbell(),
                staging.address(),
                0,
                MOST,
                lists.address()));
        disks.add(ssd);
        changed.run();
    }
}
