package dev.clockwire.storage.threefs.chunk;

import org.jspecify.annotations.Nullable;

/** How far the newest version of a chunk is; 3FS's names, of which CLEAN is not what one expects. */
public enum ChunkState {
    /** Every version is committed. */
    COMMIT(0),
    /** A version is being written here. */
    DIRTY(1),
    /** A version is written here, and not committed. */
    CLEAN(2);

    private static final ChunkState[] BY_CODE = values();

    private final int code;

    ChunkState(int code) {
        this.code = code;
    }

    /** Returns the number that stands for it in a message. */
    public int code() {
        return code;
    }

    /** Returns what a number stands for, null if nothing. */
    public static @Nullable ChunkState of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
