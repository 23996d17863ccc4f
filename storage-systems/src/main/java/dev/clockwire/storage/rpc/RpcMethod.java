package dev.clockwire.storage.rpc;

import java.util.List;

/**
 * A method.
 *
 * @param name as it stands in the request
 * @param when in which states of the framework it can be called
 * @param params what it knows
 * @param handler does it
 */
public record RpcMethod(String name, When when, List<RpcParam> params, Handler handler) {
    /** When a method can be called. */
    public enum When {
        /** Before the framework is started. */
        STARTUP,
        /** After that. */
        RUNTIME,
        /** Both. */
        ALWAYS
    }

    /** Does what a method does. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Answers now or later.
         *
         * @throws RpcException instead of an answer
         */
        void call(RpcParams params, RpcReply reply);
    }

    /** Keeps a copy. */
    public RpcMethod {
        params = List.copyOf(params);
    }
}
