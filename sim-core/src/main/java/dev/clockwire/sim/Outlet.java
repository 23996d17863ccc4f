package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;

/** Where tokens leave a clock and become events, in order: a token never overtakes the one before it. */
public final class Outlet {
    private final SimModule writer;
    private final EventPort to;
    private final int kind;
    private final long delayPs;
    private final Last last;

    /**
     * Creates an outlet of a module.
     *
     * @param to the port that gets the events
     * @param kind their kind
     * @param delayPs from the edge of the write to the event, at least 1 ps
     */
    public Outlet(SimModule writer, EventPort to, int kind, long delayPs) {
        if (delayPs < 1) {
            throw new ConfigurationException(writer.path(), -1, "outlet delay " + delayPs + " ps is not at least 1");
        }
        this.writer = writer;
        this.to = to;
        this.kind = kind;
        this.delayPs = delayPs;
        last = writer.state(new Last());
    }

    /** Sends a token; the time of the event is returned. */
    public long write(long a, long b, Token x) {
        return writeAfter(delayPs, a, b, x);
    }

    /** Sends a token after a longer time than the outlet's own delay, for example its serialisation. */
    public long writeAfter(long ps, long a, long b, Token x) {
        long at = Math.max(writer.now() + Math.max(ps, delayPs), last.at);
        last.at = at;
        to.send(at, kind, a, b, x);
        return at;
    }

    private static final class Last implements State {
        private long at;

        @Override
        public void save(Snapshot out) {
            out.putLong(at);
        }

        @Override
        public void load(Snapshot in) {
            at = in.getLong();
        }
    }
}
