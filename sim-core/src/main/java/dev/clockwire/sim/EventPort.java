package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of events and their handler. Events due at the same time are handled in the order (target node, port), and at one
 * port in the order sent. A port neither delays nor reorders otherwise.
 */
public abstract class EventPort {
    /** Kinds of events are 0 to 126. */
    public static final int MAX_KIND = 126;

    static final int ORDINAL_SHIFT = 44;
    static final int MAX_PORTS = 1 << (64 - ORDINAL_SHIFT);
    static final long ORDINAL = -1L << ORDINAL_SHIFT;
    static final int COUNT_ONE = 1 << 8;

    final Sim sim;
    final SimNode target;
    /** Ordinal of the port : 20, number of sends : 36, zero : 8. */
    long key;

    private final String name;

    /** Creates a port of a node; its place among the node's ports decides the order of events due at the same time. */
    protected EventPort(SimNode target, String name) {
        this.target = target;
        this.name = name;
        sim = target.sim;
        if (sim.elaborated()) {
            throw new ConfigurationException(path(), sim.now, "the design is closed: elaborate() was called");
        }
        sim.design.ports.add(this);
    }

    /**
     * Handles an event in phase 1. May send, write inlets of its node and wake its node; reads and writes its own node only.
     *
     * @param kind the sender's kind, 0 to {@link #MAX_KIND}
     * @param a first value
     * @param b second value
     * @param token the token sent, now owned by the handler
     */
    protected abstract void event(int kind, long a, long b, @Nullable Token token);

    /** Sends an event to this port; {@code at} is later than now. */
    public final void send(long at, int kind, long a, long b) {
        send(at, kind, a, b, null);
    }

    /** Sends an event with a token to this port; {@code at} is later than now. The token belongs to the receiver. */
    public final void send(long at, int kind, long a, long b, @Nullable Token token) {
        if (kind >>> 7 != 0 || kind > MAX_KIND) {
            throw new InvariantViolation(path(), sim.now, "event kind " + kind + " is not in 0.." + MAX_KIND);
        }
        sim.send(this, at, kind, a, b, token);
    }

    /** Returns the key of the next event of this port. */
    final long nextKey(int kind) {
        long k = key;
        key = (k & ORDINAL) | ((k + COUNT_ONE) & ~ORDINAL);
        return k | kind;
    }

    /** Returns the time of the instant being simulated, in ps. */
    public final long now() {
        return sim.now;
    }

    /** Returns the node whose events these are. */
    public final SimNode target() {
        return target;
    }

    /** Returns the full name. */
    public final String path() {
        return target.pathOf(name);
    }
}
