package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.chunk.ChunkStore;
import dev.clockwire.storage.threefs.mgmtd.LocalState;

/** A target of this node in this incarnation. */
final class LocalTarget {
    final int chain;
    final ChunkStore store;
    final Locks locks;
    LocalState state;
    /** Version of the chain that it goes by. */
    int adopted;
    /** Version of the chain for which it was brought up to date. */
    int syncedVer;
    /** Whether it is offline since its disk has failed. */
    boolean failed;
    /** Whether it is offline since its predecessor has asked for that. */
    boolean unwanted;
    /** Whether its disk is being tried. */
    boolean probing;

    LocalTarget(int chain, ChunkStore store, Locks locks, LocalState state) {
        this.chain = chain;
        this.locks = locks;
        this.store = store;
        this.state = state;
    }
}
