package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What inlets and asynchronous FIFOs share: words that enter a clock. A word written at t is visible at the S-th edge of the reader's
 * clock strictly later than t, S being the synchroniser depth, also when edges coincide; the number of that edge is kept with the word.
 */
public abstract sealed class Crossing implements Link permits Inlet, LongInlet, AsyncFifo {
    /** Words that inlets have places for at first. */
    static final int FEW = 16;

    final Sim sim;
    final int capacity;
    final int depth;
    /** Places are a power of two, this and one more. */
    int mask;

    int written;
    int read;
    private final String path;
    private long[] visibleAt;
    private long waitingSince;

    /** Creates one with places for some words; it makes more when it needs them, so that one that is nearly empty stays in the caches. */
    Crossing(Scope scope, String name, int capacity, int syncDepth, int places) {
        sim = scope.sim;
        path = scope.pathOf(name);
        if (capacity < 1 || capacity > 1 << 20) {
            throw new ConfigurationException(path, -1, "capacity " + capacity + " is not in 1.." + (1 << 20));
        }
        if (syncDepth < 1 || syncDepth > 16) {
            throw new ConfigurationException(path, -1, "synchroniser depth " + syncDepth + " is not in 1..16");
        }
        this.capacity = capacity;
        depth = syncDepth;
        mask = Integer.highestOneBit(2 * Math.min(places, capacity) - 1) - 1;
        visibleAt = new long[mask + 1];
        sim.design.name(path);
        sim.design.links.add(this);
    }

    abstract SimModule reader();

    /** Returns the path of the module that writes, empty if handlers of the reader do. */
    String writerPath() {
        return "";
    }

    @Override
    public final Connection describe() {
        return Connection.of(this, writerPath(), reader().path(), capacity, depth);
    }

    /** Returns whether a word is visible in this cycle of the reader's clock. */
    public final boolean valid(long cycle) {
        return written != read && visibleAt[read & mask] <= cycle;
    }

    /** Returns the number of words inside, visible or not. */
    public final int occupancy() {
        return written - read;
    }

    /** Takes the slot of a word written now and wakes the reader for it. */
    final int push() {
        if (written - read >= capacity) {
            throw new InvariantViolation(
                    path,
                    sim.now,
                    "overrun: " + capacity + " words are inside; credits or buffer space must hold the sender back");
        }
        if (written == read) {
            waitingSince = sim.now;
        } else if (written - read > mask) {
            grow();
        }
        SimModule r = reader();
        int slot = written++ & mask;
        visibleAt[slot] = wake(r);
        return slot;
    }

    private void grow() {
        long[] larger = new long[2 * visibleAt.length];
        for (int i = read; i != written; i++) {
            larger[i & larger.length - 1] = visibleAt[i & mask];
        }
        visibleAt = larger;
        grown(larger.length);
        mask = larger.length - 1;
    }

    /** Makes places for so many words, and puts those inside where they belong; the mask is still the old one. */
    abstract void grown(int places);

    /** Wakes a module at the first edge at which what happens now is visible to it, and returns the edge. */
    final long wake(SimModule m) {
        long seen = m.clock.edgeAfter(sim.now) + depth - 1;
        m.clock.wakeAt(m, seen);
        return seen;
    }

    /** After a restore: asks again for the tick at which a word or a slot becomes visible. */
    static void rewake(SimModule m, long cycle) {
        if (cycle > m.clock.cycle()) {
            m.clock.wakeAt(m, cycle);
        }
    }

    /** Gives back the slot of the oldest word. */
    final int pop(long cycle) {
        if (!valid(cycle)) {
            throw new InvariantViolation(path, sim.now, "take in cycle " + cycle + ": no word is visible");
        }
        waitingSince = sim.now;
        return read++ & mask;
    }

    @Override
    public final String path() {
        return path;
    }

    @Override
    public void check() {}

    @Override
    public final long moves() {
        return (long) written + read;
    }

    @Override
    public final @Nullable String waiting() {
        return written == read
                ? null
                : path + " holds " + (written - read) + " of " + capacity + " for " + reader().path() + " since "
                        + Ends.ns(waitingSince);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(written);
        out.putInt(read);
        for (int i = read; i != written; i++) {
            out.putLong(visibleAt[i & mask]);
        }
    }

    @Override
    public void load(Snapshot in) {
        written = in.getInt();
        read = in.getInt();
        while (written - read > mask + 1) {
            visibleAt = new long[2 * visibleAt.length];
            grown(visibleAt.length);
            mask = visibleAt.length - 1;
        }
        for (int i = read; i != written; i++) {
            visibleAt[i & mask] = in.getLong();
            rewake(reader(), visibleAt[i & mask]);
        }
    }
}
