package dev.clockwire.sim;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Where tokens of events enter a clock. Takes several words a cycle up to its capacity; nothing tells the sender that it is full, so
 * credits or buffer space must hold it back. See {@link Crossing} for when a word is visible.
 *
 * @param <T> what it carries
 */
public final class Inlet<T extends Token> extends Crossing {
    private final SimModule reader;
    private TokenRing<T> ring;
    private @Nullable Probe probe;

    /**
     * Creates an inlet of a module.
     *
     * @param capacity words that fit, 1 to 2^20
     * @param syncDepth edges of the synchroniser, 1 to 16
     */
    public Inlet(SimModule reader, String name, int capacity, int syncDepth) {
        super(reader, name, capacity, syncDepth, FEW);
        this.reader = reader;
        ring = new TokenRing<>(mask + 1);
    }

    @Override
    SimModule reader() {
        return reader;
    }

    @Override
    void grown(int places) {
        ring = ring.larger(places, read, written);
    }

    /** Appends a word; from a handler of the reading module. */
    public void write(T x) {
        int slot = push(); // may give the ring more places
        ring.set(slot, x);
        Probe p = probe;
        if (p != null) {
            p.fold(sim.now, 1, x.digest());
        }
    }

    /** Returns the oldest word; only when valid. */
    public T bits() {
        return ring.get(read & mask);
    }

    /** Removes and returns the oldest word; only when valid. Several a cycle are allowed. */
    public T take(long cycle) {
        return ring.remove(pop(cycle));
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
        ring.save(out, read, written);
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        ring.load(in, read, written);
    }
}
