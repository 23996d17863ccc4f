package dev.clockwire.bench.yardstick;

import dev.clockwire.sim.Sim;

/** One design of the yardstick with its tokens and checksum, which are the same in every simulator. */
public interface Workload {
    /** Returns the simulation. */
    Sim sim();

    /** Runs on until n cycles or events have been done, or a few more. */
    void warmTo(long n);

    /** Runs on until exactly n cycles or events have been done; the last call. */
    void runTo(long n);

    /** Returns the tokens or events so far. */
    long tokens();

    /** Returns a digest of what was delivered when. */
    long checksum();
}
