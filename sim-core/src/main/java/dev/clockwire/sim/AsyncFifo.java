package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO between two clocks. Words become visible to the reader by the rule of {@link Crossing}, freed slots to the writer by the same
 * rule. At most one put a cycle of the writer; the reader may take several.
 *
 * @param <T> what it carries
 */
public final class AsyncFifo<T extends Token> extends Crossing {
    private final TokenRing<T> ring;
    private final long[] freeAt;
    private int freed;
    /** Freed slots that a put has counted; ready() looks beyond, but moves nothing. */
    private int freedSeen;

    private long putAt = -1;
    private @Nullable SimModule writer;
    private @Nullable SimModule reader;
    private @Nullable Probe probe;

    /**
     * Creates a FIFO without ends.
     *
     * @param capacity words that fit, 1 to 2^20
     * @param syncDepth edges of each synchroniser, 1 to 16
     */
    public AsyncFifo(Scope scope, String name, int capacity, int syncDepth) {
        super(scope, name, capacity, syncDepth, capacity);
        ring = new TokenRing<>(mask + 1);
        freeAt = new long[mask + 1];
    }

    @Override
    void grown(int places) {
        throw new InvariantViolation(path(), sim.now, "has all its places from the start");
    }

    /** Names the writer. */
    public AsyncFifo<T> from(SimModule m) {
        if (writer != null) {
            throw new ConfigurationException(path(), -1, "has two writers: " + writer.path() + " and " + m.path());
        }
        writer = m;
        return this;
    }

    /** Names the reader. */
    public AsyncFifo<T> to(SimModule m) {
        if (reader != null) {
            throw new ConfigurationException(path(), -1, "has two readers: " + reader.path() + " and " + m.path());
        }
        reader = m;
        return this;
    }

    @Override
    SimModule reader() {
        return Ends.connected(path(), "reader", reader, "writer", writer);
    }

    @Override
    String writerPath() {
        return writer().path();
    }

    private SimModule writer() {
        return Ends.connected(path(), "writer", writer, "reader", reader);
    }

    private int freedBy(long cycle) {
        int f = freedSeen;
        while (f != freed && freeAt[f & mask] <= cycle) {
            f++;
        }
        return f;
    }

    /** Returns whether the writer sees room in this cycle of its clock. */
    public boolean ready(long cycle) {
        return written - freedBy(cycle) < capacity;
    }

    /** Appends a word in a cycle of the writer's clock; must be ready. */
    public void put(long cycle, T x) {
        freedSeen = freedBy(cycle);
        if (written - freedSeen >= capacity || putAt == cycle) {
            throw new InvariantViolation(
                    path(),
                    sim.now,
                    "put in cycle " + cycle + ": "
                            + (putAt == cycle ? "the second in this cycle" : "no room is visible"));
        }
        putAt = cycle;
        ring.set(push(), x);
        Probe p = probe;
        if (p != null) {
            p.fold(sim.now, 1, x.digest());
        }
    }

    /** Returns the oldest word; only when valid. */
    public T bits() {
        return ring.get(read & mask);
    }

    /** Removes and returns the oldest word in a cycle of the reader's clock; must be valid. */
    public T take(long cycle) {
        T x = ring.remove(pop(cycle));
        freeAt[freed++ & mask] = wake(writer());
        return x;
    }

    @Override
    public void elaborate() {
        reader();
        writer();
    }

    @Override
    public void observe() {
        probe = new Probe(sim.root(), path() + ".put");
    }

    @Override
    public void save(Snapshot out) {
        super.save(out);
        ring.save(out, read, written);
        out.putInt(freed);
        out.putInt(freedSeen);
        out.putLong(putAt);
        for (int i = freedSeen; i != freed; i++) {
            out.putLong(freeAt[i & mask]);
        }
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        ring.load(in, read, written);
        freed = in.getInt();
        freedSeen = in.getInt();
        putAt = in.getLong();
        for (int i = freedSeen; i != freed; i++) {
            freeAt[i & mask] = in.getLong();
            rewake(writer(), freeAt[i & mask]);
        }
    }
}
