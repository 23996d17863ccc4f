package dev.clockwire.storage.ceph.store;

import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store of one incarnation of an OSD. A transaction is a page of metadata and the object's bytes; while one write is under way those that come are gathered into the next
 * (group commit), so they become durable in the order in which they came. A segment is used again when nothing in it lives any more: what is written anew leaves it, and {@link Cleaner} moves
 * the rest.
 */
public final class SeaStoreLite {
    private static final int PAGE = 4096;
    private static final int GROUP = 8 << 20;
    private static final long SEGMENT = 64L << 20;
    private static final long AGAIN_PS = 1_000_000_000L;
    private static final int LIST_ENTRY = 32;

    private final Node node;
    private final Segments segments;
    private final Cleaner cleaner;
    private final Map<Integer, Deque<Long>> buffers = new TreeMap<>();
    private final Deque<Transaction> waiting = new ArrayDeque<>();
    private boolean writing;
    private int allocated;
    private long groups;
    private long transactions;

    /** One transaction: an object's content, or a log that replaces another. */
    private record Transaction(
            PgDisk pg, boolean moves, int bytes, @Nullable Payload data, Consumer<Long> apply, Runnable done) {}

    /** Begins with what is durable. */
    public SeaStoreLite(Node node, Collection<PgDisk> groups) {
        this.node = node;
        segments = new Segments(
                node.name() + "'s store",
                node.disk().bytes(),
                Math.min(SEGMENT, node.disk().bytes() / 16));
        for (PgDisk pg : groups) {
            for (StoredObject o : pg.objects()) {
                if (o.version() != 0) {
                    segments.found(o.at(), footprint(o.length()));
                }
            }
        }
        segments.begin();
        cleaner = new Cleaner(this, segments, groups);
    }

    /** Returns the bytes that an object takes. */
    private static int footprint(int length) {
        return PAGE + aligned(length);
    }

    private static int aligned(int n) {
        return (n + PAGE - 1) / PAGE * PAGE;
    }

    /**
     * Writes an object as a whole.
     *
     * @param entry for the log, null if the log knows it
     * @param done runs when it is durable
     */
    public void write(
            PgDisk pg, long oid, long version, Payload data, long digest, @Nullable LogEntry entry, Runnable done) {
        int length = data.length();
        submit(new Transaction(
                pg,
                false,
                footprint(length),
                data,
                at -> {
                    StoredObject old = pg.find(oid);
                    pg.put(new StoredObject(oid, version, version, at, length, digest), entry);
                    segments.alive(at, footprint(length));
                    forget(old);
                },
                done));
    }

    private void forget(@Nullable StoredObject o) {
        if (o != null && o.version() != 0) {
            segments.dead(o.at(), footprint(o.length()));
        }
    }

    /** Writes what an object holds to another place, before what others have submitted. */
    void rewrite(PgDisk pg, StoredObject from, Payload data, Runnable done) {
        transactions++;
        waiting.addFirst(new Transaction(
                pg,
                true,
                footprint(from.length()),
                data,
                at -> {
                    StoredObject now = pg.find(from.oid());
                    if (now != null && now.version() == from.version() && now.at() == from.at()) {
                        pg.put(now.movedTo(at), null);
                        segments.alive(at, footprint(now.length()));
                        segments.dead(from.at(), footprint(now.length()));
                    }
                },
                done));
        next();
    }

    /**
     * Replaces a log, see {@link PgDisk}.
     *
     * @param done runs when that is durable, with the objects that there are no more
     */
    public void merge(
            PgDisk pg, List<LogEntry> log, Map<Long, Long> need, long epoch, Consumer<List<StoredObject>> done) {
        List<StoredObject> gone = new ArrayList<>();
        int bytes = aligned((log.size() + need.size()) * LIST_ENTRY + PAGE);
        submit(new Transaction(
                pg,
                false,
                bytes,
                null,
                at -> {
                    gone.addAll(pg.merge(log, need, epoch));
                    gone.forEach(this::forget);
                },
                () -> done.accept(gone)));
    }

    /** Runs something when all that was submitted before is durable. */
    public void flush(Runnable done) {
        if (waiting.isEmpty() && !writing) {
            done.run();
        } else {
            submit(new Transaction(new PgDisk(), false, 0, null, at -> {}, done));
        }
    }

    private void submit(Transaction t) {
        transactions++;
        waiting.add(t);
        next();
    }

    /** Writes what waits, if nothing is being written. */
    void next() {
        if (writing || waiting.isEmpty()) {
            return;
        }
        cleaner.step();
        Transaction first = waiting.getFirst();
        if (!first.moves && segments.needsNext(first.bytes) && segments.free() <= 1 && cleaner.isBusy()) {
            return; // the last one is for what is moved, and then it goes on
        }
        List<Transaction> group = new ArrayList<>();
        int bytes = 0;
        long most = Math.min(GROUP, segments.room(first.bytes));
        while (!waiting.isEmpty() && (group.isEmpty() || bytes + waiting.getFirst().bytes <= most)) {
            Transaction t = waiting.removeFirst();
            bytes += t.bytes;
            group.add(t);
        }
        if (bytes == 0) {
            group.forEach(t -> t.done.run());
            next();
            return;
        }
        writing = true;
        groups++;
        long at = segments.append(bytes);
        segments.pin(at);
        long va = buffer(bytes);
        fill(group, va);
        put(group, at, bytes, va);
    }

    private void fill(List<Transaction> group, long va) {
        long to = va;
        for (Transaction t : group) {
            if (t.data != null) {
                node.worker(0).core().memory().write(to + PAGE, t.data, 0, t.data.length());
            }
            to += t.bytes;
        }
    }

    private void put(List<Transaction> group, long at, int bytes, long va) {
        node.disk()
                .write(
                        at,
                        bytes,
                        va,
                        (token, ok) -> {
                            if (!ok && node.endIfBroken()) {
                                return;
                            }
                            if (!ok) { // Ceph would end here, too; this one tries until the disk is well
                                node.worker(0).after(AGAIN_PS, (a, b) -> put(group, at, bytes, va), 0, 0);
                                return;
                            }
                            giveBack(va, bytes);
                            writing = false;
                            long where = at;
                            for (Transaction t : group) {
                                t.apply.accept(where);
                                where += t.bytes;
                            }
                            segments.unpin(at);
                            group.forEach(t -> t.done.run());
                            next();
                        },
                        0);
    }

    /** Reads an object's content; {@code then} gets null if the disk fails for now; for good, it is the end of the OSD. */
    public void read(StoredObject o, Consumer<@Nullable Payload> then) {
        int bytes = Math.max(PAGE, aligned(o.length()));
        long va = buffer(bytes);
        segments.pin(o.at());
        node.disk()
                .read(
                        o.at() + PAGE,
                        bytes,
                        va,
                        (token, ok) -> {
                            if (!ok && node.endIfBroken()) {
                                return;
                            }
                            Payload p = null;
                            if (ok) {
                                p = new Payload();
                                node.worker(0).core().memory().read(va, o.length(), p);
                            }
                            giveBack(va, bytes);
                            segments.unpin(o.at());
                            then.accept(p);
                        },
                        0);
    }

    private static int sizeClass(int bytes) {
        return Integer.highestOneBit(Math.max(PAGE, bytes) * 2 - 1);
    }

    private long buffer(int bytes) {
        int size = sizeClass(bytes);
        Long known = buffers.computeIfAbsent(size, s -> new ArrayDeque<>()).poll();
        return known != null ? known : node.allocate("store" + allocated++, size, Allocation.Kind.BULK);
    }

    private void giveBack(long va, int bytes) {
        Deque<Long> of = buffers.get(sizeClass(bytes));
        if (of != null) {
            of.add(va);
        }
    }

    /** Returns whether nothing is being written. */
    public boolean isIdle() {
        return !writing && waiting.isEmpty();
    }

    /** Returns the writes of the disk so far. */
    public long groups() {
        return groups;
    }

    /** Returns the objects that cleaning has moved. */
    public long moved() {
        return cleaner.moved();
    }

    /** Returns the segments in which nothing lives. */
    public int freeSegments() {
        return segments.free();
    }

    /** Returns the transactions so far. */
    public long transactions() {
        return transactions;
    }
}
