package dev.clockwire.roce.verbs;

/** What a memory window is bound to ({@code ibv_mw_type}). */
public enum MwType {
    /** To the protection domain; bound by {@link QueuePair#bindMw}, which chooses the key. */
    TYPE_1(1),
    /** To the queue pair (type 2B); bound by a work request, which says the key, and invalidated by either side. */
    TYPE_2(2);

    private final int code;

    MwType(int code) {
        this.code = code;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }
}
