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
    /** Version of the chain under which the pending version came here first. */
    public int pendingSince;
    /** Whether the bytes are those of an older version than the committed one, which came as pending in their stead and is not committed yet. */
    public boolean hollow;
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
        m.take(this);
        m.stamp = stamp;
        return m;
    }

    /** Becomes what another one is, but for the place in the log. */
    void take(ChunkMeta m) {
        updateVer = m.updateVer;
        commitVer = m.commitVer;
        chainVer = m.chainVer;
        state = m.state;
        pendingSince = m.pendingSince;
        hollow = m.hollow;
        length = m.length;
        checksum = m.checksum;
        block = m.block;
        pendingLength = m.pendingLength;
        pendingChecksum = m.pendingChecksum;
        pendingBlock = m.pendingBlock;
        removed = m.removed;
        writers = m.writers.copy();
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
