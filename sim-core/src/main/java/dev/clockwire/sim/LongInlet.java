package dev.clockwire.sim;

import dev.clockwire.sim.state.Snapshot;
import org.jspecify.annotations.Nullable;

/** An inlet of 64-bit words. See {@link Inlet}. */
public final class LongInlet extends Crossing {
    private final SimModule reader;
    private long[] ring;
    private @Nullable Probe probe;

    /**
     * Creates an inlet of a module.
     *
     * @param capacity words that fit, 1 to 2^20
     * @param syncDepth edges of the synchroniser, 1 to 16
     */
    public LongInlet(SimModule reader, String name, int capacity, int syncDepth) {
        super(reader, name, capacity, syncDepth, FEW);
        this.reader = reader;
        ring = new long[mask + 1];
    }

    @Override
    SimModule reader() {
        return reader;
    }

    @Override
    void grown(int places) {
        long[] larger = new long[places];
        for (int i = read; i != written; i++) {
            larger[i & places - 1] = ring[i & mask];
        }
        ring = larger;
    }

    /** Appends a word; from a handler of the reading module. */
    public void write(long x) {
        int slot = push(); // may give the ring more places
        ring[slot] = x;
        Probe p = probe;
        if (p != null) {
            p.fold(sim.now, 1, x);
        }
    }

    /** Returns the oldest word; meaningful when valid. */
    public long bits() {
        return ring[read & mask];
    }

    /** Removes and returns the oldest word; only when valid. Several a cycle are allowed. */
    public long take(long cycle) {
        return ring[pop(cycle)];
    }

    /** Returns how many words can be written now. */
    public int space() {
        return capacity - occupancy();
    }

    @Override
    public void elaborate() {}

    @Override
    public void observe() {
        probe = new Probe(sim.root(), path() + ".write");
    }

    @Override
    public void save(Snapshot out) {
        super.save(out);
        for (int i = read; i != written; i++) {
            out.putLong(ring[i & mask]);
        }
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        for (int i = read; i != written; i++) {
            ring[i & mask] = in.getLong();
        }
    }
}
