package dev.clockwire.storage.threefs.rpc;

import org.jspecify.annotations.Nullable;

/** How a request ended; the names are 3FS's. */
public enum Status {
    /** Done. */
    OK(0),
    /** The chain has another version here. */
    ROUTING_VERSION_MISMATCH(1),
    /** Another request of the same channel is under way. */
    CHANNEL_IS_LOCKED(2),
    /** The channel has moved on. */
    DUPLICATE_UPDATE(3),
    /** A version is pending: ask again. */
    CHUNK_NOT_COMMIT(4),
    /** A version between is missing here. */
    MISSING_UPDATE(5),
    /** The data are not what their checksum says. */
    CHECKSUM_MISMATCH(6),
    /** The other side cannot be reached. */
    COMMUNICATION(7),
    /** The target does not serve. */
    TARGET_OFFLINE(8),
    /** No room for another chunk. */
    NO_SPACE(9),
    /** The disk reports an error. */
    DISK_ERROR(10),
    /** There is no such chunk. */
    CHUNK_NOT_FOUND(11),
    /** The request makes no sense here. */
    INVALID(12),
    /** The other side does not answer in time. */
    TIMEOUT(13);

    private static final Status[] BY_CODE = values();

    private final int code;

    Status(int code) {
        this.code = code;
    }

    /** Returns whether there is no answer: what was asked may be done still. */
    public boolean isNoAnswer() {
        return this == COMMUNICATION || this == TIMEOUT;
    }

    /** Returns the number that stands for it in a message. */
    public int code() {
        return code;
    }

    /** Returns what a number stands for, null if nothing. */
    public static @Nullable Status of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
