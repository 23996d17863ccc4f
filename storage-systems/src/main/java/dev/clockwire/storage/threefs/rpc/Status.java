package dev.clockwire.storage.threefs.rpc;

/** How a request ended; the names are 3FS's. */
public enum Status {
    /** Done. */
    OK,
    /** The chain has another version here. */
    ROUTING_VERSION_MISMATCH,
    /** Another request of the same channel is under way. */
    CHANNEL_IS_LOCKED,
    /** The channel has moved on. */
    DUPLICATE_UPDATE,
    /** A version is pending: ask again. */
    CHUNK_NOT_COMMIT,
    /** A version between is missing here. */
    MISSING_UPDATE,
    /** The data are not what their checksum says. */
    CHECKSUM_MISMATCH,
    /** The other side cannot be reached, or does not answer in time. */
    COMMUNICATION,
    /** The target does not serve. */
    TARGET_OFFLINE,
    /** No room for another chunk. */
    NO_SPACE,
    /** The disk reports an error. */
    DISK_ERROR,
    /** There is no such chunk. */
    CHUNK_NOT_FOUND,
    /** The request makes no sense here. */
    INVALID
}
