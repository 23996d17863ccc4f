package dev.clockwire.storage.rpc;

/** Where the answer of a call goes: one of these, once, at any time. */
public interface RpcReply {
    /** The call was done. */
    void result(JsonValue value);

    /**
     * The call failed.
     *
     * @param code one of {@link RpcError}, or a negated error number of Linux
     */
    void error(int code, String message);

    /** The call was done, and there is nothing more to say. */
    default void done() {
        result(JsonValue.Bool.TRUE);
    }
}
