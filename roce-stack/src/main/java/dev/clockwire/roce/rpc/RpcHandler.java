package dev.clockwire.roce.rpc;

import dev.clockwire.roce.verbs.Completion;

/** Answers the calls of the other side. */
@FunctionalInterface
public interface RpcHandler {
    /** Returns the answer to a call, now or later. */
    Completion<byte[]> called(byte[] body);
}
