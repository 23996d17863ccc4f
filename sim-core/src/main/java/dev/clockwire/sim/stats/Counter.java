package dev.clockwire.sim.stats;

import dev.clockwire.sim.state.Snapshot;

/** A number of things that happened. */
public final class Counter extends Stat {
    private long value;

    /** Creates a counter at 0; {@link StatRegistry#counter} also registers it. */
    public Counter(String name, String unit, String description) {
        super(name, unit, description);
    }

    /** Adds one. */
    public void inc() {
        value++;
    }

    /** Adds an amount. */
    public void add(long amount) {
        value += amount;
    }

    /** Returns the sum since the start or the last reset. */
    public long value() {
        return value;
    }

    @Override
    public void reset(long ps) {
        value = 0;
    }

    @Override
    public String text(long ps) {
        return Long.toString(value);
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(value);
    }

    @Override
    public void load(Snapshot in) {
        value = in.getLong();
    }
}
