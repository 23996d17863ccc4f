package dev.clockwire.storage.threefs.server;

/** What a reader gets while a version is pending. */
public enum ReadRule {
    /** Nothing: it asks again (3FS's legacy store). Linearizable. */
    REJECT,
    /** The committed version (3FS's chunk engine). Two readers of two replicas may see new before old. */
    COMMITTED,
    /** The version that the tail has committed, asked of it (CRAQ). Linearizable. */
    TAIL_QUERY,
    /** The pending version: what nobody has promised. */
    DIRTY
}
