package dev.clockwire.storage.threefs.chunk;

import java.util.Map;
import java.util.TreeMap;

/**
 * What outlives crashes of a target: the disk's bytes, and the metadata whose writes have ended. 3FS keeps those in RocksDB; here each change is a write of one page
 * to a log, and this is the database that it would be read back into.
 */
public final class ChunkDisk {
    private final Map<Long, ChunkMeta> durable = new TreeMap<>();
    private int chainVer;

    /** Creates an empty target. */
    public ChunkDisk() {}

    /** Keeps metadata; they belong to this from now on. */
    void persist(ChunkMeta meta) {
        ChunkMeta known = durable.get(meta.key);
        if (known != null && known.stamp > meta.stamp) {
            return; // a later page has ended before
        }
        if (meta.removed) {
            durable.remove(meta.key);
        } else {
            durable.put(meta.key, meta);
        }
    }

    void clear() {
        durable.clear();
    }

    Map<Long, ChunkMeta> load() {
        Map<Long, ChunkMeta> all = new TreeMap<>();
        durable.forEach((key, meta) -> all.put(key, meta.copy()));
        return all;
    }

    /** Returns the version of the chain that the target has seen last. */
    public int chainVer() {
        return chainVer;
    }

    /** Keeps the version of the chain. */
    public void chainVer(int version) {
        chainVer = Math.max(chainVer, version);
    }

    /** Returns what is durable of a chunk, null if nothing. */
    @org.jspecify.annotations.Nullable
    public ChunkMeta durable(long key) {
        return durable.get(key);
    }
}
