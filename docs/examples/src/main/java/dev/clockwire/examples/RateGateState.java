package dev.clockwire.examples;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** All that changes in a {@link RateGate}. */
final class RateGateState implements State {
    /** Bytes that could pass in cycle {@link #cycle}; negative after a large packet. */
    long tokens;

    long cycle;

    @Override
    public void save(Snapshot out) {
        out.putLong(tokens);
        out.putLong(cycle);
    }

    @Override
    public void load(Snapshot in) {
        tokens = in.getLong();
        cycle = in.getLong();
    }
}
