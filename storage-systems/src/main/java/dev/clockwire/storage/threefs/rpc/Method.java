package dev.clockwire.storage.threefs.rpc;

/** What is asked for. */
public enum Method {
    /** Client to head, or a node to its successor: a new version of a chunk. */
    WRITE(""),
    /** Client to any serving target. */
    READ(""),
    /** A target's part of a version, asked by a reader of another replica. */
    QUERY(""),
    /** Node to manager. */
    HEARTBEAT("heartbeat"),
    /** Anybody to manager. */
    ROUTING("routing"),
    /** Node to a new neighbour: slots to write into. */
    GRANT("grant"),
    /** Predecessor to a target that is syncing: what do you have? */
    SYNC_START("resync"),
    /** Predecessor to a target that is syncing: this chunk is gone. */
    REMOVE("resync"),
    /** Predecessor to a target that is syncing: you are up to date. */
    SYNC_DONE("resync"),
    /** Server to client: may I send so much? */
    APPLY("apply"),
    /** Client to metadata service. */
    META("");

    private final String overhead;

    Method(String overhead) {
        this.overhead = overhead;
    }

    /** Returns the name under which it counts if it is no part of an operation, else empty. */
    public String overhead() {
        return overhead;
    }
}
