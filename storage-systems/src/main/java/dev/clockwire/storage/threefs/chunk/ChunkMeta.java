package dev.clockwire.storage.threefs.chunk;

/** What a target knows of a chunk. Blocks are places on the disk; -1 is none. */
public final class ChunkMeta {
    /** Name. */
    public final long key;
    /** Newest version. */
    public int updateVer;
    /** Newest version that is committed. */
    public int commitVer;
    /** Version of the chain under which that was. */
    public int chainVer;
    /** State of the newest version. */
    public ChunkState state = ChunkState.COMMIT;
    /** Bytes of the committed version. */
    public int length;
    /** Checksum of the committed version. */
    public int checksum;
    /** Block of the committed version. */
    public int block = -1;
    /** Bytes of the pending version. */
    public int pendingLength;
    /** Checksum of the pending version. */
    public int pendingChecksum;
    /** Block of the pending version. */
    public int pendingBlock = -1;
    /** Who has written it last. */
    public Writers writers = new Writers();
    /** Counts what was written of it to the log. */
    long stamp;
    /** Whether the chunk is gone. */
    public boolean removed;

    /** Creates a chunk without versions. */
    public ChunkMeta(long key) {
        this.key = key;
    }

    /** Returns a copy. */
    public ChunkMeta copy() {
        ChunkMeta m = new ChunkMeta(key);
        m.updateVer = updateVer;
        m.commitVer = commitVer;
        m.chainVer = chainVer;
        m.state = state;
        m.length = length;
        m.checksum = checksum;
        m.block = block;
        m.pendingLength = pendingLength;
        m.pendingChecksum = pendingChecksum;
        m.pendingBlock = pendingBlock;
        m.removed = removed;
        m.stamp = stamp;
        m.writers = writers.copy();
        return m;
    }

    /** Returns whether a version is pending. */
    public boolean isPending() {
        return updateVer != commitVer;
    }

    @Override
    public String toString() {
        return "chunk " + key + " update " + updateVer + " commit " + commitVer + " " + state;
    }
}
