package dev.clockwire.storage.threefs.mgmtd;

import org.jspecify.annotations.Nullable;

/** What a node says of its own target. */
public enum LocalState {
    /** It holds everything that is committed. */
    UP_TO_DATE(0),
    /** It can be written. */
    ONLINE(1),
    /** It cannot be used, or nobody hears of it. */
    OFFLINE(2);

    private static final LocalState[] BY_CODE = values();

    private final int code;

    LocalState(int code) {
        this.code = code;
    }

    /** Returns the number that stands for it in a message. */
    public int code() {
        return code;
    }

    /** Returns what a number stands for, null if nothing. */
    public static @Nullable LocalState of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
