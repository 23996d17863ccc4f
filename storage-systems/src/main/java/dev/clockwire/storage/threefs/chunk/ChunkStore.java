package dev.clockwire.storage.threefs.chunk;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one target, in one incarnation. A write never touches the committed version: it goes to a block of its own (3FS's chunk engine), so the committed
 * one can be read meanwhile. Metadata are written, a page each time, before anybody is told.
 */
public final class ChunkStore {
    private static final int PAGE = 4096;
    private static final int LOG_PAGES = 256;

    private final Node node;
    private final Disk device;
    private final ChunkDisk disk;
    private final Map<Long, ChunkMeta> chunks;
    private final Deque<Integer> free = new ArrayDeque<>();
    private final long base;
    private final int blockBytes;
    private final int blocks;
    private final long logPage;
    private final Tap tap;
    private final Payload content = new Payload();
    private int logAt;

    /** Hears of the steps at the disk. */
    public interface Tap {
        /** A step was taken. */
        void step(String what, long key, int version);

        /** The disk has failed an I/O. */
        void failed();
    }

    /** Takes whether something has gone well. */
    @FunctionalInterface
    public interface Done {
        /** It has ended. */
        void done(boolean ok);
    }

    /**
     * Begins with what is durable.
     *
     * @param nth target of the node, from 0: it lies on one disk, and disks take targets in turn
     * @param blockBytes of the largest chunk, a multiple of 4096
     * @param blocks versions that have room
     * @param tap hears of steps
     */
    public ChunkStore(Node node, int nth, ChunkDisk disk, int blockBytes, int blocks, Tap tap) {
        this.tap = tap;
        this.node = node;
        this.disk = disk;
        List<Disk> devices = node.disks();
        device = devices.get(nth % devices.size());
        base = nth / devices.size() * diskBytes(blockBytes, blocks);
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        if (blockBytes < PAGE || blockBytes % PAGE != 0) {
            throw new ConfigurationException("3fs: chunks of " + blockBytes + " B: must be a multiple of " + PAGE);
        }
        chunks = disk.load();
        boolean[] used = new boolean[blocks];
        for (ChunkMeta m : chunks.values()) {
            if (m.state == ChunkState.DIRTY) {
                drop(m); // nobody knows how much of it was written
            }
            mark(used, m.block);
            mark(used, m.pendingBlock);
        }
        for (int i = 0; i < blocks; i++) {
            if (!used[i]) {
                free.add(i);
            }
        }
        logPage = node.allocate("chunk.log", PAGE, Allocation.Kind.BULK); // what is in it stands in ChunkDisk
    }

    private static void mark(boolean[] used, int block) {
        if (block >= 0) {
            used[block] = true;
        }
    }

    private static void drop(ChunkMeta m) {
        m.updateVer = m.commitVer;
        m.state = ChunkState.COMMIT;
        m.pendingBlock = -1;
        m.writers.forgetBehind(m.commitVer);
    }

    /** Returns the bytes that a target takes of a disk. */
    public static long diskBytes(int blockBytes, int blocks) {
        return (long) LOG_PAGES * PAGE + (long) blocks * blockBytes;
    }

    /** Returns a chunk, null if there is none. */
    public @Nullable ChunkMeta find(long key) {
        return chunks.get(key);
    }

    /** Returns all chunks by their names. */
    public Collection<ChunkMeta> all() {
        return chunks.values();
    }

    /** Returns what outlives a crash. */
    public ChunkDisk disk() {
        return disk;
    }

    private long at(int block) {
        return base + (long) LOG_PAGES * PAGE + (long) block * blockBytes;
    }

    private static int aligned(int length) {
        return (length + Disk.BLOCK - 1) / Disk.BLOCK * Disk.BLOCK;
    }

    /** Returns the checksum of bytes in memory: CRC-32C where there are bytes. */
    public int checksum(long va, int length) {
        content.clear();
        node.worker(0).core().memory().read(va, length, content);
        return (int) content.digest();
    }

    /**
     * Writes a version of a whole chunk: its bytes, then that they are there.
     *
     * @param version pending from now on
     * @param replace whether everything that is here is forgotten, because the sender knows better
     * @param note enters into the chunk who writes it
     */
    public void write(
            long key,
            int version,
            int chainVer,
            long va,
            int length,
            int checksum,
            boolean replace,
            Consumer<ChunkMeta> note,
            Done done) {
        Integer block = length > blockBytes ? null : free.poll();
        if (block == null) {
            done.done(false);
            return;
        }
        ChunkMeta m = chunks.computeIfAbsent(key, ChunkMeta::new);
        ChunkMeta before = m.copy(); // a pending version may be written again
        if (!m.isPending() || m.updateVer != version || replace) {
            m.pendingSince = chainVer;
        }
        m.state = ChunkState.DIRTY;
        m.updateVer = version;
        if (replace) {
            m.commitVer = version - 1;
            m.hollow = true;
        }
        note.accept(m);
        m.chainVer = chainVer;
        m.pendingBlock = block;
        m.pendingLength = length;
        m.pendingChecksum = checksum;
        int mine = block;
        device.write(at(block), aligned(length), va, (t, ok) -> wrote(m, before, mine, ok, done), 0);
        tap.step("data", key, version);
    }

    private void wrote(ChunkMeta m, ChunkMeta before, int mine, boolean ok, Done done) {
        if (m.pendingBlock != mine || m.state != ChunkState.DIRTY) {
            release(mine); // replaced meanwhile
            done.done(false);
            return;
        }
        if (!ok) {
            undo(m, before, mine);
            tap.failed();
            done.done(false);
            return;
        }
        tap.step("data.done", m.key, m.updateVer);
        m.state = ChunkState.CLEAN;
        persist(m.copy(), m, before.pendingBlock, kept -> {
            if (!kept) {
                undo(m, before, mine);
            }
            done.done(kept);
        });
    }

    /** The disk has not taken a version: nobody behind has heard of it, and what was there before is there still. */
    private void undo(ChunkMeta m, ChunkMeta before, int mine) {
        m.take(before);
        release(mine);
        if (m.block < 0 && m.pendingBlock < 0) {
            chunks.remove(m.key, m);
        }
    }

    /** Makes the pending version the committed one: readers see that when it is durable. */
    public void commit(long key, int version, int chainVer, Done done) {
        ChunkMeta m = chunks.get(key);
        if (m == null || m.updateVer != version || m.state == ChunkState.DIRTY) {
            throw new InvariantViolation(node.name() + ": commit of version " + version + " of " + m);
        }
        if (m.state == ChunkState.COMMIT) {
            done.done(true);
            return;
        }
        ChunkMeta next = m.copy();
        next.block = m.pendingBlock;
        next.length = m.pendingLength;
        next.checksum = m.pendingChecksum;
        next.pendingBlock = -1;
        next.commitVer = version;
        next.chainVer = chainVer;
        next.state = ChunkState.COMMIT;
        next.hollow = false;
        persist(next, m, m.block, ok -> {
            if (ok) {
                m.take(next);
            }
            done.done(ok);
        });
        tap.step("committing", key, version);
    }

    /** Forgets a chunk. */
    public void remove(long key, Done done) {
        ChunkMeta m = chunks.remove(key);
        if (m == null) {
            done.done(true);
            return;
        }
        ChunkMeta gone = m.copy();
        gone.removed = true;
        int pending = m.pendingBlock;
        persist(gone, m, m.block, ok -> {
            if (ok) {
                release(pending);
            } else {
                chunks.put(key, m); // it is there still
            }
            done.done(ok);
        });
    }

    /** Writes a page of metadata; what it says is durable when that has ended, and only then is a block free that the page before it named. */
    private void persist(ChunkMeta as, ChunkMeta m, int before, Done done) {
        as.stamp = ++m.stamp;
        page(ok -> {
            if (ok) {
                disk.persist(as);
                release(before);
            } else {
                tap.failed();
            }
            done.done(ok);
        });
    }

    private void page(Done done) {
        long page = base + (long) (logAt++ % LOG_PAGES) * PAGE;
        device.write(page, PAGE, logPage, (t, ok) -> done.done(ok), 0);
    }

    /** Tries whether the disk takes a page. */
    public void probe(Done done) {
        page(done);
    }

    /** Forgets everything, as a target that is made anew; nobody uses it. */
    public void clear() {
        chunks.clear();
        disk.clear();
        free.clear();
        for (int i = 0; i < blocks; i++) {
            free.add(i);
        }
    }

    private void release(int block) {
        if (block >= 0) {
            free.add(block);
        }
    }

    /** Reads the committed version, or the pending one. */
    public void read(ChunkMeta m, boolean pending, int offset, int length, long va, Done done) {
        int block = pending ? m.pendingBlock : m.block;
        int from = offset / Disk.BLOCK * Disk.BLOCK;
        if (block < 0) {
            done.done(false);
            return;
        }
        device.read(
                at(block) + from,
                aligned(offset + length - from),
                va,
                (t, ok) -> {
                    if (!ok) {
                        tap.failed();
                    }
                    done.done(ok);
                },
                0);
    }

    /** Returns the disk that it lies on, maybe beside others. */
    public Disk device() {
        return device;
    }

    /** Returns the blocks that are free. */
    public int free() {
        return free.size();
    }

    /** Returns the blocks that there are. */
    public int blocks() {
        return blocks;
    }
}
