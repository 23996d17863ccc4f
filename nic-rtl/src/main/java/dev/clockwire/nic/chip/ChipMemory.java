package dev.clockwire.nic.chip;

import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Token;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The SRAM that programs allocate device memory in. Stores of the host come through a window, one a cycle; blocks write through
 * ports, and read at once, as they read data inside a WQE: the SRAM is as fast as the packet bus. What is written at an instant is
 * read from the next one on. Its addresses lie where no host has memory.
 */
public final class ChipMemory extends SimModule {
    /** First address: what a key of device memory translates to. */
    public static final long BASE = 1L << 62;

    private static final int UNIT = 64;
    private static final int STORES = 1024;
    private static final int SYNC = 1;

    private final long capacity;
    private final Consumer<MmioWrite> recycle;
    private final Inlet<MmioWrite> stores;
    private final EventPort stored;
    private final AddressSpace memory = state(new AddressSpace("device memory", PayloadMode.BYTES, BASE));

    /**
     * Creates the memory.
     *
     * @param capacity bytes, 0 for none
     * @param recycle takes stores that are done
     */
    public ChipMemory(Scope parent, Clock clock, long capacity, Consumer<MmioWrite> recycle) {
        super(parent, "chipMemory", clock);
        startAsleep();
        this.capacity = capacity;
        this.recycle = recycle;
        stores = new Inlet<>(this, "stores", STORES, SYNC);
        stored = new EventPort(this, "stored") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof MmioWrite store) {
                    store(store);
                }
            }
        };
    }

    /** Returns the inlet for stores into the window. */
    public Inlet<MmioWrite> stores() {
        return stores;
    }

    /** Returns the size of the window: a power of two. */
    public long window() {
        return Math.max(4096, Long.highestOneBit(2 * capacity - 1));
    }

    /** Returns a port for the {@link DmaWrite}s of one block: each has its own, so that ties have an order. */
    public EventPort writePort(String client) {
        return new EventPort(this, "write." + client) {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (!(token instanceof DmaWrite w)) {
                    throw new InvariantViolation(path(), now(), "something other than a DmaWrite was sent");
                }
                memory.write(w.address, w.data, w.offset, w.length);
                if (w.done != null) {
                    w.done.write(w);
                } else {
                    w.goHome();
                }
            }
        };
    }

    /** Whether an address lies in here. */
    public boolean holds(long address) {
        return address >= BASE && address - BASE < capacity;
    }

    /** Appends what stands at an address that is in here. */
    public void read(long address, int length, Payload into) {
        memory.read(address, length, into);
    }

    /** Gives a piece to a program; null if there is no room. */
    public @Nullable Allocation allocate(long length) {
        long at = BASE;
        for (Allocation a : memory.allocations()) {
            if (a.address() - at >= length) {
                break;
            }
            at = a.end() + UNIT - 1 & -UNIT;
        }
        return at + length - BASE > capacity ? null : memory.allocateAt("dm", at, length, Allocation.Kind.REAL);
    }

    /** Takes a piece back. */
    public void free(Allocation piece) {
        memory.free(piece);
    }

    private void store(MmioWrite w) {
        long at = BASE + w.offset;
        for (Allocation a : memory.allocations()) {
            if (a.contains(at, w.length)) {
                memory.putBytes(at, w.data, 0, w.length);
            }
        }
        recycle.accept(w);
    }

    @Override
    protected boolean tick(long cycle) {
        if (!stores.valid(cycle)) {
            return false;
        }
        stored.send(now() + 1, 0, 0, 0, stores.take(cycle));
        return true;
    }
}
