package dev.clockwire.storage.threefs.rpc;

/** Takes requests. */
public interface RpcHandler {
    /** A request came; it is answered by {@link RpcPeer#answer}, now or later. */
    void request(RpcPeer from, Message request);

    /**
     * The other side has pushed a request with its bytes.
     *
     * @param word what it says about where
     * @param length bytes of both
     */
    default void noticed(RpcPeer from, int word, int length) {
        from.close(() -> {}); // nobody was told where to
    }

    /** A connection, made by the other side or by this one, is gone. */
    default void lost(RpcPeer peer) {}

    /** A connection that the other side has made can be used. */
    default void joined(RpcPeer peer) {}
}
