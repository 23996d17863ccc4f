package dev.clockwire.storage.threefs.chunk;

/** How far the newest version of a chunk is; 3FS's names, of which CLEAN is not what one expects. */
public enum ChunkState {
    /** Every version is committed. */
    COMMIT,
    /** A version is being written here. */
    DIRTY,
    /** A version is written here, and not committed. */
    CLEAN
}
