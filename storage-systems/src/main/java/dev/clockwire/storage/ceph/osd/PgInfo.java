package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.store.LogEntry;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one of those that hold a group has: its log, and of each object the version that is here and the one that the log wants.
 *
 * @param peer whose it is
 * @param started epoch of the interval that it was activated in last
 * @param log oldest entry first
 * @param have version of each object's content, 0 if there is none
 * @param need version of each object by the log
 * @param promisePs for how long somebody who is down may still answer reads, as far as the peer knows
 */
record PgInfo(int peer, long started, List<LogEntry> log, Map<Long, Long> have, Map<Long, Long> need, long promisePs) {
    private static final int ENTRY = 4;
    private static final int OBJECT = 3;

    static PgInfo of(int peer, PgDisk disk, long promisePs) {
        Map<Long, Long> have = new TreeMap<>();
        Map<Long, Long> need = new TreeMap<>();
        for (StoredObject o : disk.objects()) {
            have.put(o.oid(), o.version());
            need.put(o.oid(), o.need());
        }
        return new PgInfo(peer, disk.lastStarted(), new ArrayList<>(disk.log()), have, need, promisePs);
    }

    static PgInfo from(int peer, Message m) {
        List<LogEntry> log = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < m.length; i++, at += ENTRY) {
            log.add(new LogEntry(m.list[at], m.list[at + 1], m.list[at + 2], m.list[at + 3]));
        }
        Map<Long, Long> have = new TreeMap<>();
        Map<Long, Long> need = new TreeMap<>();
        for (; at + OBJECT <= m.list.length; at += OBJECT) {
            have.put(m.list[at], m.list[at + 1]);
            need.put(m.list[at], m.list[at + 2]);
        }
        return new PgInfo(peer, m.other, log, have, need, m.time);
    }

    void into(Message m) {
        m.other = started;
        m.time = promisePs;
        m.length = log.size();
        m.list = new long[ENTRY * log.size() + OBJECT * need.size()];
        int at = 0;
        for (LogEntry e : log) {
            m.list[at++] = e.version();
            m.list[at++] = e.oid();
            m.list[at++] = e.client();
            m.list[at++] = e.tid();
        }
        for (Map.Entry<Long, Long> e : need.entrySet()) {
            m.list[at++] = e.getKey();
            m.list[at++] = have.getOrDefault(e.getKey(), 0L);
            m.list[at++] = e.getValue();
        }
    }

    long lastUpdate() {
        return log.isEmpty() ? 0 : log.get(log.size() - 1).version();
    }

    private boolean isComplete() {
        return have.equals(need);
    }

    boolean has(long oid, long version) {
        return have.getOrDefault(oid, 0L) == version;
    }

    /** Returns whether this log is the one to follow rather than another: of a later interval, longer, with all objects, in this order. */
    boolean isBetter(PgInfo than) {
        if (started != than.started) {
            return started > than.started;
        }
        if (lastUpdate() != than.lastUpdate()) {
            return lastUpdate() > than.lastUpdate();
        }
        return isComplete() && !than.isComplete();
    }
}
