package dev.clockwire.roce.verbs;

import dev.clockwire.roce.wire.FlowAddress;

/** The way to a receiver of datagrams. */
public final class AddressHandle implements AutoCloseable {
    private final ProtectionDomain pd;
    private final AddressVector vector;
    private final FlowAddress flow;
    private final Life parent;
    private final Life life = new Life("AH");

    AddressHandle(ProtectionDomain pd, AddressVector vector, FlowAddress flow, Life parent) {
        this.pd = pd;
        this.vector = vector;
        this.flow = flow;
        this.parent = parent;
    }

    /** Returns the protection domain. */
    public ProtectionDomain pd() {
        return pd;
    }

    /** Returns what was asked for. */
    public AddressVector vector() {
        return vector;
    }

    /** Returns the addresses of frames that go there; not to be changed. */
    public FlowAddress flow() {
        return flow;
    }

    boolean isClosed() {
        return life.isClosed();
    }

    /** Destroys the handle ({@code destroy_ah}). */
    @Override
    public void close() {
        life.close("destroy_ah");
        parent.release();
    }
}
