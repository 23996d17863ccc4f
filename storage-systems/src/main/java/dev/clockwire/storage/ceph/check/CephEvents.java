package dev.clockwire.storage.ceph.check;

import dev.clockwire.storage.check.monitor.ProtocolEvents;

/** What Ceph tells beside the events of any replicated store, at the instant at which it becomes true. A chain is a placement group, its version the epoch of an interval. */
public interface CephEvents extends ProtocolEvents {
    /** A primary answers a write, in the interval that began with an epoch. */
    default void replied(long ps, int node, int pg, int epoch, long oid, long version) {}

    /** A write is durable in a replica's log. */
    default void logged(long ps, int node, int pg, long version, long oid, long client, long tid) {}

    /** A replica's log is replaced by another: {@link #logged} tells all of its entries anew, behind this. */
    default void merged(long ps, int node, int pg) {}

    /**
     * A message of a lossless session is given to whoever takes it.
     *
     * @param cookie names the session
     * @param seq number of the message, from 1
     */
    default void delivered(long ps, int node, int peer, long cookie, long seq) {}
}
