package dev.clockwire.sim.fault;

/** The directions of a link that a rule is about. */
public enum FaultDirection {
    /** Both; each has its own count and its own chance. */
    BOTH,
    /** From the link's first end to its second: from the client to the server. */
    FORWARD,
    /** From the link's second end to its first: from the server to the client. */
    BACKWARD;

    /** Returns whether frames sent at the first end, or at the second, are meant. */
    public boolean includes(boolean firstEnd) {
        return this == BOTH || firstEnd == (this == FORWARD);
    }
}
