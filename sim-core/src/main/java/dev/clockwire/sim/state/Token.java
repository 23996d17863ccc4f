package dev.clockwire.sim.state;

/**
 * Something that travels through channels and events: a packet, a TLP, a descriptor. It has one owner at a time: ownership passes with
 * {@code put}, {@code write} and {@code send}, and the last owner may return it to a pool.
 */
public abstract class Token {
    /** The journey this token belongs to; 0 = not followed. Never on the wire. */
    public long journey;

    /** Creates a token that is not followed. */
    protected Token() {}

    /** Returns a copy that shares nothing mutable with this token, for snapshots. */
    protected abstract Token copy();

    /** Returns a digest of header fields and length, not of the payload: what the full trace hash folds where this token passes. */
    public long digest() {
        return 0;
    }
}
