package dev.clockwire.storage.ceph.client;

/** Takes what became of an operation, in a step of the client's worker. */
@FunctionalInterface
public interface RadosDone {
    /**
     * It has ended.
     *
     * @param version of the object, 0 if there is none, -1 if it cannot be read
     * @param length bytes that were read
     */
    void ended(long version, int length);
}
