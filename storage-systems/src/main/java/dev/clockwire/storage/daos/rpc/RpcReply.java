package dev.clockwire.storage.daos.rpc;

/** Takes the response to an RPC; one always comes, {@link RpcStatus#UNREACHABLE} if the peer is silent. */
@FunctionalInterface
public interface RpcReply {
    /** It has come. */
    void answered(Rpc response);
}
