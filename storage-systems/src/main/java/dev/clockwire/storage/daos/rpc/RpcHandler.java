package dev.clockwire.storage.daos.rpc;

import dev.clockwire.storage.daos.ofi.Conn;

/** Takes requests. */
public interface RpcHandler {
    /** A request has come. */
    void request(Rpc request);

    /** A connection is gone. */
    default void lost(Conn conn) {}
}
