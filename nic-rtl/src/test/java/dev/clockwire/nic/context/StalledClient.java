package dev.clockwire.nic.context;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.testkit.Stall;

/** Sends a number of things by events, one a cycle as its pattern lets it, what comes when always in the same order. */
public abstract class StalledClient extends SimModule {
    private final Stall stall;
    private final int count;
    private final Position position = state(new Position());

    private static final class Position implements State {
        int next;

        @Override
        public void save(Snapshot out) {
            out.putInt(next);
        }

        @Override
        public void load(Snapshot in) {
            next = in.getInt();
        }
    }

    /** Creates a client that sends so many. */
    @SuppressWarnings("exports") // the test kit is no module
    protected StalledClient(Scope parent, String name, Clock clock, Stall stall, int count) {
        super(parent, name, clock);
        this.stall = stall;
        this.count = count;
    }

    /** Sends the nth, counted from 0. */
    protected abstract void send(int n);

    @Override
    protected boolean tick(long cycle) {
        if (position.next == count) {
            return false;
        }
        if (!stall.open(cycle)) {
            wakeAt(cycle + 1);
            return false;
        }
        send(position.next++);
        return true;
    }
}
