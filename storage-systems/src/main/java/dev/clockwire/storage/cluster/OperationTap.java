package dev.clockwire.storage.cluster;

/**
 * Hears of single operations of clients: when they begin and end, and when which machine takes which step for them. It changes nothing. An operation has a
 * number of its client's choice, which goes with its messages; steps of numbers that are nobody's are no part of any.
 */
public interface OperationTap {
    /** Nobody listens. */
    OperationTap NONE = new OperationTap() {};

    /**
     * A client is about to begin an operation: the next one that it {@linkplain #named names}.
     *
     * @param client number of its machine
     * @return a handle for {@link #returned}
     */
    default int invoked(int client, boolean write, long ps) {
        return 0;
    }

    /**
     * It has ended.
     *
     * @param counts whether it is one of those that are measured, and ended well
     */
    default void returned(int handle, long ps, boolean counts) {}

    /** A client has begun an operation. */
    default void named(int client, long operation) {}

    /** An operation goes by another number from now on. */
    default void renamed(int client, long from, long to) {}

    /**
     * A step was taken for an operation.
     *
     * @param host number of the machine that took it
     * @param ps time of its core
     */
    default void step(int client, long operation, int host, String step, long ps) {}
}
