package dev.clockwire.storage.daos.vos;

import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The store of one target, in one incarnation: versions of values by epoch. A version is written where nothing is, then a transaction on storage-class memory makes it
 * prepared, later another one committed; then older ones go.
 */
public final class Vos {
    private static final int PAGE = 4096;

    private final Node node;
    private final Worker worker;
    private final VosSpec spec;
    private final VosDisk disk;
    private final long limit;
    private final Map<Long, TreeMap<Long, Extent>> extents = new TreeMap<>();
    private final Map<Integer, Deque<Long>> free = new TreeMap<>();
    private final Payload content = new Payload();
    private final Tap tap;
    private long next;
    private int committing;

    /** Hears of steps. */
    @FunctionalInterface
    public interface Tap {
        /** A step was taken. */
        void step(String what, Extent x);
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
     * @param index which of the targets that the node has
     * @param targets how many it has: each has its part of the SSD
     */
    public Vos(Node node, int index, int targets, VosSpec spec, VosDisk disk, Tap tap) {
        this.tap = tap;
        worker = node.worker(index);
        long part = node.disk().bytes() / targets / PAGE * PAGE;
        next = index * part;
        limit = next + part;
        this.node = node;
        this.spec = spec;
        this.disk = disk;
        for (TreeMap<Long, Extent> of : disk.extents.values()) {
            for (Extent x : of.values()) {
                extents.computeIfAbsent(x.key, k -> new TreeMap<>()).put(x.epoch, x.copy(x.state));
                if (x.block >= 0) {
                    next = Math.max(next, x.block + pages(x.length));
                }
            }
        }
    }

    private static int pages(int length) {
        return (length + PAGE - 1) / PAGE * PAGE;
    }

    /** Returns the newest version that is visible, null if there is none. */
    public @Nullable Extent newest(long key) {
        TreeMap<Long, Extent> of = extents.get(key);
        if (of == null) {
            return null;
        }
        for (Extent x : of.descendingMap().values()) {
            if (x.state.isVisible()) {
                return x;
            }
        }
        return null;
    }

    /** Returns the newest version, however far it is, null if there is none. */
    public @Nullable Extent latest(long key) {
        TreeMap<Long, Extent> of = extents.get(key);
        return of == null || of.isEmpty() ? null : of.lastEntry().getValue();
    }

    /** Returns whether a version above an epoch is prepared here, and perhaps visible elsewhere. */
    public boolean isPreparedAbove(long key, long epoch) {
        TreeMap<Long, Extent> of = extents.get(key);
        if (of == null) {
            return false;
        }
        for (Extent x : of.tailMap(epoch, false).values()) {
            if (x.state == DtxState.PREPARED) {
                return true;
            }
        }
        return false;
    }

    /** Returns a version, null if there is none. */
    public @Nullable Extent find(long key, long epoch) {
        TreeMap<Long, Extent> of = extents.get(key);
        return of == null ? null : of.get(epoch);
    }

    /** Returns the versions that are visible as committed, and not durably so yet. */
    public int committing() {
        return committing;
    }

    /** Returns the objects that there are. */
    public Collection<Long> keys() {
        return extents.keySet();
    }

    /** Returns the objects behind one, in their order. */
    public Iterable<Long> keysBehind(long key) {
        return ((TreeMap<Long, TreeMap<Long, Extent>>) extents)
                .tailMap(key, false)
                .keySet();
    }

    /** Returns the newest version of each object that is visible. */
    public List<Extent> visible() {
        List<Extent> all = new ArrayList<>();
        for (Long key : extents.keySet()) {
            Extent x = newest(key);
            if (x != null) {
                all.add(x);
            }
        }
        return all;
    }

    /** Returns all versions that are prepared. */
    public List<Extent> prepared() {
        List<Extent> all = new ArrayList<>();
        extents.values()
                .forEach(of -> of.values().forEach(x -> {
                    if (x.state == DtxState.PREPARED) {
                        all.add(x);
                    }
                }));
        return all;
    }

    /** Returns what is durably committed. */
    public Map<DtxId, VosDisk.Committed> committed() {
        return disk.committed;
    }

    /** Returns what is durably committed behind a transaction, in order. */
    public Map<DtxId, VosDisk.Committed> committedBehind(@Nullable DtxId id) {
        return id == null ? disk.committed : disk.committed.tailMap(id, false);
    }

    /** Keeps a transaction that another replica has committed. */
    public void remember(DtxId id, long key, long epoch) {
        disk.remember(id, key, epoch);
    }

    /** Forgets committed transactions below an epoch. */
    public void forget(long epoch) {
        disk.committed.values().removeIf(c -> c.epoch() < epoch);
    }

    /** Computes the checksum of bytes in memory, and charges for it. */
    public int checksum(long va, int length) {
        worker.core().scan(length, spec.crcBytePs());
        return digest(worker, content, va, length);
    }

    /** Returns the checksum of bytes in memory. */
    public static int digest(Worker worker, Payload scratch, long va, int length) {
        scratch.clear();
        worker.core().memory().read(va, length, scratch);
        return (int) scratch.digest();
    }

    /**
     * Writes a version.
     *
     * @param va where the bytes are, not to change before the end
     * @param as what it is then: prepared, or committed if it is a copy of what others have
     * @param done true if it is durable, and nobody has aborted it
     */
    public void write(DtxId id, long key, long epoch, long va, int length, int checksum, DtxState as, Done done) {
        Extent x = new Extent(id, key, epoch, length, checksum);
        extents.computeIfAbsent(key, k -> new TreeMap<>()).put(epoch, x);
        if (length < spec.threshold()) {
            Payload p = new Payload(length);
            worker.core().memory().read(va, length, p);
            worker.core().charge(HostCost.COPY_BYTE, length);
            x.scm = p;
            persist(x, as, done);
            return;
        }
        long at = allocate(pages(length));
        if (at < 0) {
            abort(x);
            done.done(false);
            return;
        }
        x.block = at;
        int bytes = (length + Disk.BLOCK - 1) / Disk.BLOCK * Disk.BLOCK;
        node.disk().write(worker, at, bytes, va, (t, ok) -> written(x, as, ok, done), 0);
        tap.step("data", x);
    }

    private void written(Extent x, DtxState as, boolean ok, Done done) {
        if (!ok && node.endIfBroken()) {
            return;
        }
        tap.step("data.done", x);
        if (!ok && x.state == DtxState.INITED) {
            abort(x);
        }
        if (x.state == DtxState.ABORTED) {
            release(x);
            done.done(false);
        } else {
            persist(x, as, done);
        }
    }

    private void persist(Extent x, DtxState as, Done done) {
        tap.step("persist", x);
        worker.after(
                spec.txPs(),
                (a, b) -> {
                    if (x.state == DtxState.ABORTED) {
                        release(x);
                        done.done(false);
                        return;
                    }
                    x.state = as;
                    disk.put(x, as);
                    if (as == DtxState.COMMITTED) {
                        disk.remember(x.id, x.key, x.epoch);
                        reclaim(x.key);
                    }
                    done.done(true);
                },
                0,
                0);
    }

    /** Makes a version visible at once; it is durably so a transaction later. */
    public void commit(Extent x, Done done) {
        if (x.state == DtxState.COMMITTED || x.state == DtxState.ABORTED) {
            done.done(x.state == DtxState.COMMITTED);
            return;
        }
        x.state = DtxState.COMMITTED;
        committing++;
        worker.after(
                spec.txPs(),
                (a, b) -> {
                    committing--;
                    disk.put(x, DtxState.COMMITTED);
                    disk.remember(x.id, x.key, x.epoch);
                    reclaim(x.key);
                    done.done(true);
                },
                0,
                0);
    }

    /** Makes a version visible, as the leader may once all have it. */
    public void committable(Extent x) {
        x.state = DtxState.COMMITTABLE;
    }

    /** Drops a version that is not visible. */
    public void abort(Extent x) {
        boolean writing = x.state == DtxState.INITED;
        x.state = DtxState.ABORTED;
        unlink(x);
        disk.remove(x);
        if (!writing) {
            release(x);
        }
    }

    private void unlink(Extent x) {
        TreeMap<Long, Extent> of = extents.get(x.key);
        if (of != null && of.get(x.epoch) == x) {
            of.remove(x.epoch);
        }
    }

    private void reclaim(long key) {
        TreeMap<Long, Extent> durable = disk.extents.get(key);
        TreeMap<Long, Extent> of = extents.get(key);
        if (durable == null || of == null) {
            return;
        }
        long newest = -1;
        for (Extent x : durable.values()) {
            newest = x.state == DtxState.COMMITTED ? Math.max(newest, x.epoch) : newest;
        }
        for (Extent x : new ArrayList<>(of.headMap(newest).values())) {
            Extent there = durable.get(x.epoch);
            if (x.state == DtxState.COMMITTED && there != null && there.state == DtxState.COMMITTED) {
                unlink(x);
                disk.remove(x);
                release(x);
            }
        }
    }

    /** Frees the place of a version once nobody reads it. */
    private void release(Extent x) {
        x.dropped = true;
        if (x.readers == 0 && x.block >= 0) {
            free.computeIfAbsent(pages(x.length), k -> new ArrayDeque<>()).add(x.block);
            x.block = -1;
        }
    }

    private long allocate(int bytes) {
        Deque<Long> of = free.get(bytes);
        Long at = of == null ? null : of.poll();
        if (at != null) {
            return at;
        }
        if (next + bytes > limit) {
            return -1;
        }
        long here = next;
        next += bytes;
        return here;
    }

    /** Reads a version into memory. */
    public void read(Extent x, long va, Done done) {
        Payload p = x.scm;
        if (p != null) {
            worker.core().charge(HostCost.COPY_BYTE, x.length);
            worker.core().memory().write(va, p, 0, x.length);
            done.done(true);
            return;
        }
        x.readers++;
        tap.step("fetch.disk", x);
        int bytes = (x.length + Disk.BLOCK - 1) / Disk.BLOCK * Disk.BLOCK;
        node.disk()
                .read(
                        worker,
                        x.block,
                        bytes,
                        va,
                        (t, ok) -> {
                            if (!ok && node.endIfBroken()) {
                                return;
                            }
                            tap.step("fetch.done", x);
                            x.readers--;
                            if (x.dropped && x.readers == 0) {
                                release(x);
                            }
                            done.done(ok);
                        },
                        0);
    }
}
