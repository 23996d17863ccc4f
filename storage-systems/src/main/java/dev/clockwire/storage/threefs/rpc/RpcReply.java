package dev.clockwire.storage.threefs.rpc;

/** Takes the answer to a call. */
@FunctionalInterface
public interface RpcReply {
    /** The answer, or one made up with {@link Status#COMMUNICATION} or {@link Status#TIMEOUT} if there is none. */
    void answered(Message answer);
}
