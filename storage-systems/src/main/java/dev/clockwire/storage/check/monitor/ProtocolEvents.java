package dev.clockwire.storage.check.monitor;

import java.util.List;

/**
 * What a replicated store tells while it runs, at the instant at which it becomes true. Nodes and chains are numbered from 0; a key is that of
 * a chunk or object within its chain; versions count from 1, 0 is before any. A primary with its backups is a chain too: its copies answer
 * in some order.
 */
public interface ProtocolEvents {
    /**
     * The manager decides on a version of a chain.
     *
     * @param nodes nodes in the order of the chain, head first
     * @param states what each may do
     */
    default void table(long ps, int chain, long chainVer, List<Integer> nodes, List<TargetState> states) {}

    /** A node goes by a version of a chain from now on, and serves if that says so. */
    default void adopted(long ps, int node, int chain, long chainVer) {}

    /** A node lost its memory: it serves nothing before it adopts a version of a chain again. Its copies stay. */
    default void crashed(long ps, int node) {}

    /** A node takes a client's write as head of a chain. */
    default void headed(long ps, int node, int chain, long chainVer) {}

    /** A node begins to serve a read of a client. */
    default void admitted(long ps, int node, int chain) {}

    /** A head has carried out a client's request, which got a version. */
    default void executed(long ps, int node, int chain, long key, Request request, long version) {}

    /** A copy has a pending version. */
    default void updated(long ps, int node, int chain, long key, long version) {}

    /**
     * A copy has a committed version.
     *
     * @param chainVer version of the chain at which it was committed
     * @param digest of the whole content, a CRC say
     */
    default void committed(long ps, int node, int chain, long key, long chainVer, long version, long digest) {}

    /** A copy is replaced as a whole by another's, or by what a disk still had: a committed version, nothing pending. */
    default void replaced(long ps, int node, int chain, long key, long chainVer, long version, long digest) {}

    /** A copy is removed. */
    default void removed(long ps, int node, int chain, long key) {}

    /**
     * A client learns that its write is done, with a version.
     *
     * @param chainVer version of the chain under which whoever says so is its head
     */
    default void acked(long ps, int client, int chain, long key, long chainVer, long version) {}

    /**
     * A node has read what it answers a client's read with.
     *
     * @param digest of the whole content of that version
     * @param beganPs when the node got the request
     */
    default void served(long ps, int node, int chain, long key, long version, long digest, long beganPs) {}

    /**
     * A pool of buffers at rest: nobody needs one any more.
     *
     * @param free how many are there
     * @param all how many there should be
     */
    default void pooled(long ps, int node, String pool, int free, int all) {}

    /** Nothing is under way any more, and every node is as well as it will be. */
    default void quiescent(long ps) {}
}
