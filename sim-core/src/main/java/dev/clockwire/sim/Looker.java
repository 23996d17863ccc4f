package dev.clockwire.sim;

/**
 * Looks at a design over the time of its runs, between two instants: it reads and changes nothing, so a run is the same with it. See {@link Sim#look}.
 */
public interface Looker {
    /** Returns when the next look is due, in ps; earlier than now is at once. */
    long nextPs();

    /**
     * Looks; {@link #nextPs} is later then.
     *
     * @param ps now; everything before it is simulated
     */
    void look(long ps);
}
