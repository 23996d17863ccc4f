package dev.clockwire.sim;

import dev.clockwire.sim.state.Snapshot;
import org.jspecify.annotations.Nullable;

/** What the kernel asks of everything that carries words between two ends. */
interface Link {
    String path();

    /** Tells what this joins; only after elaboration. */
    Connection describe();

    /** Checks both ends and resolves what the fast path needs; the masks of the clocks exist. */
    void elaborate();

    /** Makes this an observation point of the trace hash. */
    void observe();

    /** Makes put and take check that their cycle is the clock's. */
    void check();

    /** Words moved so far, in and out. */
    long moves();

    /** One line about who waits here for whom since when, null if nothing waits. */
    @Nullable
    String waiting();

    void save(Snapshot out);

    void load(Snapshot in);
}
