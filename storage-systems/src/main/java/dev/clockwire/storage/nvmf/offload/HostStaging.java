package dev.clockwire.storage.nvmf.offload;

import dev.clockwire.nic.offload.OffloadDisk;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;

/**
 * Memory of the host that data pass through, for all SSDs: a buffer for each context of the NIC, and its PRP list.
 *
 * @param buffers one behind the other
 * @param lists the same
 */
record HostStaging(Allocation buffers, Allocation lists) {
    static HostStaging in(AddressSpace memory, int contexts, int most) {
        Allocation buffers =
                memory.allocate("offload.staging", (long) contexts * most, Allocation.Kind.BULK, OffloadDisk.PAGE);
        Allocation lists = memory.allocate(
                "offload.lists", (long) contexts * OffloadDisk.LIST_BYTES, Allocation.Kind.REAL, OffloadDisk.PAGE);
        for (int i = 0; i < contexts; i++) {
            for (int page = 1; page < most / OffloadDisk.PAGE; page++) {
                long at = lists.address() + (long) i * OffloadDisk.LIST_BYTES + (long) Long.BYTES * (page - 1);
                memory.putLong(at, buffers.address() + (long) i * most + (long) OffloadDisk.PAGE * page);
            }
        }
        return new HostStaging(buffers, lists);
    }
}
