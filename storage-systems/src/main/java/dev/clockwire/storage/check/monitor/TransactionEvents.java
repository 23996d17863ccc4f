package dev.clockwire.storage.check.monitor;

/**
 * What a store tells that has replicas prepare and then decide, beside {@link ProtocolEvents}. A transaction writes one key; each time it is executed it has another version,
 * and versions of a key are never used twice.
 */
public interface TransactionEvents {
    /** Nobody listens. */
    TransactionEvents NONE = new TransactionEvents() {};

    /** A leader gives a transaction of a client a version. */
    default void begun(long ps, int node, int chain, long key, long version, long client, long sequence) {}

    /** A replica keeps a version durably; nobody may see it yet. */
    default void prepared(long ps, int node, int chain, long key, long version) {}

    /** A leader knows that all replicas keep a version: it can be seen, and the client may be told. */
    default void committable(long ps, int node, int chain, long key, long version) {}

    /** A replica takes a version as committed. */
    default void decided(long ps, int node, int chain, long key, long version) {}

    /** A replica takes a version as one that never was. */
    default void aborted(long ps, int node, int chain, long key, long version) {}

    /** A read is answered with a version. */
    default void served(long ps, int node, int chain, long key, long version) {}
}
