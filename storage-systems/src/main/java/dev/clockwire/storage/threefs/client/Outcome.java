package dev.clockwire.storage.threefs.client;

import dev.clockwire.storage.threefs.rpc.Status;

/** Takes what became of an operation. */
@FunctionalInterface
public interface Outcome {
    /**
     * It has ended.
     *
     * @param status OK; CHUNK_NOT_FOUND of a read of what was never written; otherwise nobody knows whether a write has taken or will take effect
     * @param version that was written or read
     */
    void ended(Status status, int version, int length);
}
