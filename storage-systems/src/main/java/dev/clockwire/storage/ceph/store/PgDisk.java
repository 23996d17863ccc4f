package dev.clockwire.storage.ceph.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What outlives crashes of a placement group on one disk: objects, log, and the last epoch in which it was activated. Everything changes only when a write has ended;
 * replaying the segments would give the same.
 */
public final class PgDisk {
    /** Entries of a log, {@code osd_max_pg_log_entries} and those kept to know repetitions. */
    public static final int LOG = 10_000;

    private static final int EPOCH_SHIFT = 40;

    private final Map<Long, StoredObject> objects = new TreeMap<>();
    private final Deque<LogEntry> log = new ArrayDeque<>();
    private final Map<Long, Map<Long, Long>> requests = new TreeMap<>();
    private long started;

    /** Creates an empty group. */
    public PgDisk() {}

    /** Returns a version that is above all of earlier epochs. */
    public static long version(int epoch, long number) {
        return (long) epoch << EPOCH_SHIFT | number;
    }

    /** Returns the number of a version within its group: it grows by one with each write. */
    public static long number(long version) {
        return version & (1L << EPOCH_SHIFT) - 1;
    }

    /** Returns the epoch of a version. */
    public static int epoch(long version) {
        return (int) (version >>> EPOCH_SHIFT);
    }

    /** Returns an object, null if there is none. */
    public @Nullable StoredObject find(long oid) {
        return objects.get(oid);
    }

    /** Returns all objects by name. */
    public Collection<StoredObject> objects() {
        return objects.values();
    }

    /** Returns the log, the oldest entry first. */
    public Collection<LogEntry> log() {
        return log;
    }

    /** Returns the version of the last entry, 0 if there is none. */
    public long lastUpdate() {
        LogEntry last = log.peekLast();
        return last == null ? 0 : last.version();
    }

    /** Returns the epoch of the interval that was activated last. */
    public long lastStarted() {
        return started;
    }

    /** Returns the version that a request was given, 0 if the log does not know it. */
    public long versionOf(long client, long tid) {
        Map<Long, Long> of = requests.get(client);
        return of == null ? 0 : of.getOrDefault(tid, 0L);
    }

    void put(StoredObject object, @Nullable LogEntry entry) {
        objects.put(object.oid(), object);
        if (entry != null) {
            append(entry);
        }
    }

    private void append(LogEntry e) {
        log.addLast(e);
        requests.computeIfAbsent(e.client(), c -> new TreeMap<>()).put(e.tid(), e.version());
        if (log.size() > LOG) {
            LogEntry old = log.removeFirst();
            Map<Long, Long> of = requests.get(old.client());
            if (of != null) {
                of.remove(old.tid(), old.version());
                if (of.isEmpty()) {
                    requests.remove(old.client());
                }
            }
        }
    }

    /** Takes over another log: what it does not know is rolled back, what it knows better is missing from now on. Returns what is here no more. */
    List<StoredObject> merge(List<LogEntry> better, Map<Long, Long> need, long epoch) {
        List<StoredObject> gone = new ArrayList<>();
        for (StoredObject o : List.copyOf(objects.values())) {
            if (!need.containsKey(o.oid())) {
                objects.remove(o.oid());
                gone.add(o);
            }
        }
        need.forEach((oid, version) -> {
            StoredObject o = objects.get(oid);
            objects.put(oid, o == null ? new StoredObject(oid, 0, version, 0, 0, 0) : o.needing(version));
        });
        log.clear();
        requests.clear();
        better.forEach(this::append);
        started = epoch;
        return gone;
    }
}
