package dev.clockwire.storage.ceph.stream;

import dev.clockwire.sim.mem.Payload;

/** What uses a {@link RdmaStream}; called in steps of worker 0. */
public interface StreamUser {
    /** Bytes can be sent. */
    void opened();

    /** Bytes came, behind those before; the object is used again. */
    void received(Payload bytes);

    /** The connection is gone, by whatever cause. */
    void broken();
}
