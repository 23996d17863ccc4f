package dev.clockwire.sim.state;

/**
 * All mutable state of one part of a model. {@link #load} reads exactly what {@link #save} wrote, in the same order; after it the
 * part behaves as at the moment of the save. Parameters and wiring are no state.
 */
public interface State {
    /** Writes all mutable fields. Changes nothing. */
    void save(Snapshot out);

    /** Reads what {@link #save} wrote, in the same order. */
    void load(Snapshot in);
}
