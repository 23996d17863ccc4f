package dev.clockwire.sim.stats;

import dev.clockwire.sim.state.Snapshot;
import java.util.function.LongSupplier;

/** A figure that is read from the model when asked for; it holds no state of its own and is not reset. */
public final class Reading extends Stat {
    private final LongSupplier source;

    Reading(String name, String unit, String description, LongSupplier source) {
        super(name, unit, description);
        this.source = source;
    }

    /** Returns the value now. */
    public long value() {
        return source.getAsLong();
    }

    @Override
    public void reset(long ps) {}

    @Override
    public String text(long ps) {
        return Long.toString(value());
    }

    @Override
    public void save(Snapshot out) {}

    @Override
    public void load(Snapshot in) {}
}
