package dev.clockwire.sim;

import dev.clockwire.sim.trace.TraceHash;

/**
 * An observation point of the trace hash: a link direction, a TLP stream, a CQ, an interrupt vector. It belongs to one node, which
 * folds in time order; the simulation combines the points in name order.
 */
public final class Probe {
    final String path;
    final TraceHash hash = new TraceHash();

    /** Creates the point. */
    public Probe(Scope scope, String name) {
        path = scope.pathOf(name);
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

    /** Returns the number of observations. */
    public long count() {
        return hash.count();
    }

    /** Returns the digest of this point alone. */
    public long value() {
        return hash.value();
    }

    /** Returns the full name. */
    public String path() {
        return path;
    }
}
