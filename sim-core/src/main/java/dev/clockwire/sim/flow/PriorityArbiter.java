package dev.clockwire.sim.flow;

import dev.clockwire.sim.state.Snapshot;

/** The lowest number always wins. */
public final class PriorityArbiter implements Arbiter {
    /** Creates the arbiter. */
    public PriorityArbiter() {}

    @Override
    public int choose(long requests) {
        return requests == 0 ? -1 : Long.numberOfTrailingZeros(requests);
    }

    @Override
    public void grant(int requester) {}

    @Override
    public void save(Snapshot out) {}

    @Override
    public void load(Snapshot in) {}
}
