package dev.clockwire.roce.soft;

import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.DeviceMemoryProvider;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;

/** Device memory: without a device of its own a piece of the host's, which programs reach by copies only. */
final class SoftMemory implements DeviceMemoryProvider {
    private final SoftContext context;
    private final Allocation allocation;
    private byte[] piece = {};

    SoftMemory(SoftContext context, long length) {
        this.context = context;
        allocation = context.cpu().memory().allocate("dm", length, Allocation.Kind.REAL);
    }

    long address() {
        return allocation.address();
    }

    @Override
    public long hostAddress() {
        return address();
    }

    @Override
    public void copyTo(long offset, long address, int length) {
        copy(address, allocation.address() + offset, length);
    }

    @Override
    public void copyFrom(long address, long offset, int length) {
        copy(allocation.address() + offset, address, length);
    }

    private void copy(long from, long to, int length) {
        AddressSpace memory = context.cpu().memory();
        if (piece.length < length) {
            piece = new byte[length];
        }
        memory.getBytes(from, piece, 0, length);
        memory.putBytes(to, piece, 0, length);
        context.cpu().charge(HostCost.COPY_BYTE, length);
    }

    @Override
    public void free(Completion<Integer> done) {
        context.device().command(() -> {
            context.cpu().memory().free(allocation);
            done.complete(0);
        });
    }
}
