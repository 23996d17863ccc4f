package dev.clockwire.sim.fault;

import dev.clockwire.sim.state.Token;

/** Chooses what a rule is about. It must change nothing and remember nothing, otherwise no snapshot is right. */
@FunctionalInterface
public interface FaultFilter {
    /** Passes everything. */
    FaultFilter ALL = thing -> true;

    /** Returns whether the rule is about this thing, such as a packet. */
    boolean matches(Token thing);
}
