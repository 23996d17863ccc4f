package dev.clockwire.nic.context;

import dev.clockwire.sim.state.Token;

/** A window to be bound, or a key to be invalidated: on its way from a block to the device's control. */
public final class KeyChange extends Token {
    /** Bind; else invalidate {@link #key}. */
    public boolean bind;
    /** A peer asked for it: nobody waits for the end. */
    public boolean remote;
    /** Key of the window as it will be, or the key to invalidate. */
    public int key;
    /** Local key of the region. */
    public int region;
    /** First byte, as the region counts addresses. */
    public long va;
    /** Bytes. */
    public long length;
    /** Mask of remote rights. */
    public int access;
    /** Whether it was allowed. */
    public boolean done;

    /** Creates a change of nothing. */
    public KeyChange() {}

    @Override
    protected KeyChange copy() {
        KeyChange c = new KeyChange();
        c.bind = bind;
        c.remote = remote;
        c.key = key;
        c.region = region;
        c.va = va;
        c.length = length;
        c.access = access;
        c.done = done;
        return c;
    }
}
