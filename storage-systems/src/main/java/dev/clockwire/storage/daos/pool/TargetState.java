package dev.clockwire.storage.daos.pool;

/** What the pool map says of an engine. */
public enum TargetState {
    /** In service. */
    UPIN(0),
    /** Gets what is written, and copies what it lacks; nobody reads it. */
    UP(1),
    /** Excluded. */
    DOWN(2);

    private final int code;

    TargetState(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the one with a number. */
    public static TargetState of(int code) {
        return code == 0 ? UPIN : code == 1 ? UP : DOWN;
    }
}
