package dev.clockwire.sim.trace;

/** A part of a design that can show itself as waves: a channel, a state machine, a register bank. */
public interface WaveSource {
    /** Returns the hierarchical name; the names of its signals start with it. */
    String path();

    /**
     * Starts to tell its signals. Called at most once for each set of waves, between two runs; not called at all if nobody looks.
     *
     * @param signals where to declare them
     * @param sink gets their values now and every later change
     * @param ps now
     */
    void trace(Signals signals, WaveSink sink, long ps);
}
