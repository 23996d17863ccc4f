package dev.clockwire.sim;

import dev.clockwire.sim.trace.TraceHash;
import org.jspecify.annotations.Nullable;

/**
 * An observation point of the trace hash: a link direction, a TLP stream, a CQ, an interrupt vector. It belongs to one node, which
 * folds in time order; the simulation combines the points in name order.
 */
public final class Probe {
    final String path;
    final TraceHash hash = new TraceHash();
    private final Sim sim;
    private @Nullable Late late;

    /** Creates the point. */
    public Probe(Scope scope, String name) {
        path = scope.pathOf(name);
        sim = scope.sim;
        scope.sim.design.name(path);
        scope.sim.design.probes.add(this);
    }

    /**
     * Folds one observation.
     *
     * @param ps time
     * @param kind what happened, numbered by the owner
     * @param digest header and length, not payload
     */
    public void fold(long ps, int kind, long digest) {
        hash.fold(ps, kind, digest);
    }

    /** Names an owner that decides things ahead of time; it is asked to fold them when somebody looks. */
    public void late(Late owner) {
        late = owner;
    }

    private void settle() {
        if (late != null) {
            late.settle(sim.now);
        }
    }

    /** Returns the number of observations. */
    public long count() {
        settle();
        return hash.count();
    }

    /** Returns the digest of this point alone. */
    public long value() {
        settle();
        return hash.value();
    }

    /** Returns the full name. */
    public String path() {
        return path;
    }

    /**
     * Holds observations back whose time lies ahead of the simulated time, so that the digest of a run that stops anywhere does not
     * depend on how far ahead the model decides.
     */
    @FunctionalInterface
    public interface Late {
        /** Folds, in time order, what has happened up to a time and has not been folded yet. */
        void settle(long now);
    }
}
