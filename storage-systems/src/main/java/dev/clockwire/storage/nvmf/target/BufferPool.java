package dev.clockwire.storage.nvmf.target;

import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;

/** Data buffers of two sizes, shared by all poll groups (SPDK's iobuf): small ones for transfers that fit, large ones for all others. */
final class BufferPool {
    private static final int PAGE = 4096;

    private final Stock small;
    private final Stock large;

    BufferPool(AddressSpace memory, TransportSpec limits) {
        small = new Stock(memory, "nvmf.small", limits.smallBytes(), limits.smallCount());
        large = new Stock(memory, "nvmf.large", limits.largeBytes(), limits.largeCount());
    }

    /** Returns the address of a buffer, 0 if there is none now. */
    long take(int bytes) {
        return stock(bytes).take();
    }

    void give(long va, int bytes) {
        stock(bytes).give(va);
    }

    private Stock stock(int bytes) {
        return bytes <= small.bytes ? small : large;
    }

    Allocation small() {
        return small.memory;
    }

    Allocation large() {
        return large.memory;
    }

    boolean isSmall(int bytes) {
        return bytes <= small.bytes;
    }

    /** Returns what was asked of it. */
    BufferStats stats() {
        return new BufferStats(small.taken, small.refused, large.taken, large.refused);
    }

    /** Returns how many buffers are in use. */
    int used() {
        return small.used() + large.used();
    }

    /** Buffers of one size; the one given back last is taken first. */
    private static final class Stock {
        private final Allocation memory;
        private final int bytes;
        private final int[] free;
        private int count;
        private long taken;
        private long refused;

        Stock(AddressSpace space, String name, int bytes, int count) {
            this.bytes = bytes;
            this.count = count;
            memory = space.allocate(name, (long) bytes * count, Allocation.Kind.BULK, PAGE);
            free = new int[count];
            for (int i = 0; i < count; i++) {
                free[i] = count - 1 - i;
            }
        }

        long take() {
            if (count == 0) {
                refused++;
                return 0;
            }
            taken++;
            return memory.address() + (long) bytes * free[--count];
        }

        void give(long va) {
            free[count++] = (int) ((va - memory.address()) / bytes);
        }

        int used() {
            return free.length - count;
        }
    }
}
