package dev.clockwire.sim.state;

/** Something that travels through channels and events: a packet, a TLP, a descriptor. Its owner is whoever holds it last. */
public abstract class Token {
    /** The journey this token belongs to; 0 = not followed. Never on the wire. */
    public long journey;

    /** Creates a token that is not followed. */
    protected Token() {}

    /** Returns a copy that shares nothing mutable with this token, for snapshots. */
    protected abstract Token copy();
}
