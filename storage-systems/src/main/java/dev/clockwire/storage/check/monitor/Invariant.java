package dev.clockwire.storage.check.monitor;

/** What must hold at every instant, or once a run has come to rest. */
public enum Invariant {
    /** Pending and committed versions of a copy. */
    VER_1("VER-1", "commit version <= update version <= commit version + 1"),
    /** Versions of a copy in time. */
    VER_2("VER-2", "the commit version of a copy grows, but for a replacement or removal"),
    /** The prefix property of CRAQ (Terrace and Freedman, USENIX ATC 2009). */
    VER_3("VER-3", "a predecessor has at least its successor's update version, and at most its commit version"),
    /** Versions of chains in time. */
    VER_4("VER-4", "the chain version of a node does not fall, and none of its copies has a higher one"),
    /** Copies at rest. */
    AGR_1("AGR-1", "at rest all serving copies are committed and the same"),
    /** Copies at any time. */
    AGR_2("AGR-2", "serving copies with the same chain version and commit version have the same content"),
    /** Acknowledged writes at rest. */
    DUR_1("DUR-1", "what was acknowledged is on every serving node"),
    /** Acknowledgements. */
    DUR_3("DUR-3", "no acknowledgement before tail and head have committed"),
    /** Chains. */
    MEM_1("MEM-1", "a chain has a node that serves, or the last that did"),
    /** Chains that fetch up. */
    MEM_2("MEM-2", "at most one node of a chain is syncing"),
    /** Heads. */
    MEM_3("MEM-3", "one head for each version of a chain"),
    /** Nodes that others think are gone. */
    MEM_4("MEM-4", "nobody serves whom the manager has taken out of the chain"),
    /** Copies that have fetched up. */
    SYNC_1("SYNC-1", "a copy that has fetched up serves only when it has what its predecessor has"),
    /** Requests that come again. */
    AMO_1("AMO-1", "a node carries out a request once while it lives"),
    /** Requests that come late. */
    AMO_2("AMO-2", "no request of a channel is carried out behind a later one in a chain"),
    /** Requests that are sent again, of Ceph. */
    AMO_4("AMO-4", "a request has one entry in the log of a group"),
    /** Acknowledgements of Ceph. */
    CE_1("CE-1", "a primary answers a write when all that act for the group have it"),
    /** Logs of Ceph. */
    CE_2("CE-2", "versions of a group grow on each replica, and name the same write on all"),
    /** Sessions of Ceph. */
    CE_3("CE-3", "messages of a lossless session come once and in order, over reconnects too"),
    /** Transactions and readers. */
    DX_1("DX-1", "no read gets what is only prepared"),
    /** Transactions and replicas. */
    DX_2("DX-2", "what is committable is durable on all serving nodes"),
    /** Decisions on transactions. */
    DX_3("DX-3", "a transaction is decided the same on all serving nodes"),
    /** Versions of transactions. */
    DX_4("DX-4", "a version begins above all that were acknowledged"),
    /** Effects of transactions. */
    AMO_3("AMO-3", "a transaction has one visible effect at most"),
    /** Reads that need not be linearizable. */
    LIN_4(
            "LIN-4",
            "a read gets a version that its replica has, and none older than one that was read there before it began"),
    /** Receives and credits of 3FS. */
    RD_1("RD-1", "nobody is told that a receiver is not ready"),
    /** Receives. */
    RD_2("RD-2", "a receive is not posted again before it has come back"),
    /** Completion queues. */
    RD_3("RD-3", "no more is posted than the completion queue has entries"),
    /** Completions. */
    RD_5(
            "RD-5",
            "a signalled send and a receive have one completion, in order; an unsignalled one is covered by the next"),
    /** Queue pairs that fail. */
    RD_6("RD-6", "behind an error everything that was posted comes back flushed"),
    /** Buffers at rest. */
    RD_7("RD-7", "at rest all buffers are back in their pools"),
    /** READs. */
    RD_8("RD-8", "a queue pair has no more READs under way than max_rd_atomic");

    private final String id;
    private final String words;

    Invariant(String id, String words) {
        this.id = id;
        this.words = words;
    }

    /** Returns the name in reports: {@code VER-1}. */
    public String id() {
        return id;
    }

    /** Returns what must hold. */
    public String words() {
        return words;
    }
}
