package dev.clockwire.storage.daos.dtx;

/** What a replica knows of a transaction. */
public enum DtxState {
    /** It has an entry, nothing is durable. */
    INITED(0),
    /** Durable here, invisible. */
    PREPARED(1),
    /** Durable on all replicas, and visible: only the leader knows. */
    COMMITTABLE(2),
    /** Visible, and durably so. */
    COMMITTED(3),
    /** It never happened. */
    ABORTED(4),
    /** Nothing is known. */
    ABSENT(5);

    private final int code;

    DtxState(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns whether it has happened. */
    public boolean isVisible() {
        return this == COMMITTABLE || this == COMMITTED;
    }

    /** Returns the one with a number. */
    public static DtxState of(int code) {
        for (DtxState s : values()) {
            if (s.code == code) {
                return s;
            }
        }
        return ABSENT;
    }
}
