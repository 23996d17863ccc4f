package dev.clockwire.sim.host;

import dev.clockwire.sim.mem.AddressSpace;
import java.util.function.LongSupplier;

/**
 * A core on which all work is free: what functional devices and tests run on. Explicit {@link #charge(long)} still moves
 * {@link #now} within a step, so that code which waits on purpose is seen to wait.
 */
public final class ZeroCostCpu implements Cpu {
    private final String name;
    private final AddressSpace memory;
    private final LongSupplier clock;
    private final MmioSink sink;
    private final byte[] word = new byte[Long.BYTES];
    private long cost;
    private boolean woken;

    /**
     * Creates the core.
     *
     * @param clock the present instant in ps, such as that of a simulation
     * @param sink gets every store to device memory, at once
     */
    public ZeroCostCpu(String name, AddressSpace memory, LongSupplier clock, MmioSink sink) {
        this.name = name;
        this.memory = memory;
        this.clock = clock;
        this.sink = sink;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long now() {
        return clock.getAsLong() + cost;
    }

    @Override
    public void charge(long ps) {
        cost += ps;
    }

    @Override
    public void charge(HostCost what, long count) {}

    @Override
    public AddressSpace memory() {
        return memory;
    }

    @Override
    public void mmioWrite(long address, long value, int size) {
        for (int i = 0; i < size; i++) {
            word[i] = (byte) (value >>> (i << 3));
        }
        sink.written(now(), address, word, 0, size);
    }

    @Override
    public void mmioWrite(long address, byte[] data, int off, int len) {
        sink.written(now(), address, data, off, len);
    }

    @Override
    public void wake() {
        woken = true;
    }

    /** Runs the program's next step if {@link #wake} asked for one, and returns whether it did; costs start at 0 again. */
    public boolean step(Runnable program) {
        if (!woken) {
            return false;
        }
        woken = false;
        cost = 0;
        program.run();
        return true;
    }
}
