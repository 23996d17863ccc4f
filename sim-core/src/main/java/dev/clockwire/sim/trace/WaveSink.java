package dev.clockwire.sim.trace;

/** Takes the changes of signals. */
@FunctionalInterface
public interface WaveSink {
    /**
     * A signal has a value from now on. Of several values at one time the last counts.
     *
     * @param signal its number in {@link Signals}
     * @param ps now, not before the last call
     * @param value its bits, or the index of its state
     */
    void change(int signal, long ps, long value);
}
