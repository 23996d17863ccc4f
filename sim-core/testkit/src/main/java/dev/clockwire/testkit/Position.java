package dev.clockwire.testkit;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** How far a source has come. */
final class Position implements State {
    int next;
    int end;

    @Override
    public void save(Snapshot out) {
        out.putInt(next);
        out.putInt(end);
    }

    @Override
    public void load(Snapshot in) {
        next = in.getInt();
        end = in.getInt();
    }
}
