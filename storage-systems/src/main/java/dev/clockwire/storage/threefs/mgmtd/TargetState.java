package dev.clockwire.storage.threefs.mgmtd;

import org.jspecify.annotations.Nullable;

/** What everybody knows of a target. */
public enum TargetState {
    /** It is read and written. */
    SERVING(0),
    /** It is written, and brought up to date. */
    SYNCING(1),
    /** It waits until another one is up to date. */
    WAITING(2),
    /** It was the last one that served: only it can begin again. */
    LASTSRV(3),
    /** It is not used. */
    OFFLINE(4);

    private static final TargetState[] BY_CODE = values();

    private final int code;

    TargetState(int code) {
        this.code = code;
    }

    /** Returns the number that stands for it in a message. */
    public int code() {
        return code;
    }

    /** Returns what a number stands for, null if nothing. */
    public static @Nullable TargetState of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
