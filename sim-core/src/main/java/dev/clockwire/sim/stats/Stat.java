package dev.clockwire.sim.stats;

import dev.clockwire.sim.state.State;

/** A named figure of a run. Names are hierarchical with dots, as {@code host0.nic.txMac.frames}. */
public abstract sealed class Stat implements State permits Counter, Gauge, Histogram, Reading {
    private final String name;
    private final String unit;
    private final String description;

    Stat(String name, String unit, String description) {
        this.name = name;
        this.unit = unit;
        this.description = description;
    }

    /** Returns the hierarchical name. */
    public final String name() {
        return name;
    }

    /** Returns the unit of the value, empty for a plain number. */
    public final String unit() {
        return unit;
    }

    /** Returns one line that says what is counted or measured, and where. */
    public final String description() {
        return description;
    }

    /** Starts again, as after a warm-up: what was counted or measured before {@code ps} is forgotten. */
    public abstract void reset(long ps);

    /** Returns the value in one line, at time {@code ps}. */
    public abstract String text(long ps);
}
