package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.check.CephEvents;
import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.store.LogEntry;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.store.StoredObject;
import dev.clockwire.storage.check.monitor.TargetState;
import dev.clockwire.storage.cluster.OperationTap;
import dev.clockwire.storage.cluster.StepTap;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who looks on: it changes nothing but by faults.
 *
 * @param tap hears of steps with their objects
 * @param steps counts steps for schedules of faults
 * @param events are what invariants are about
 * @param operations follows single operations
 */
public record Watch(OsdTap tap, StepTap steps, CephEvents events, OperationTap operations) {
    /** What steps are called: those of a write in its order, of clients first; of a read; of those that agree about a group, and bring each other up to date. */
    public static final List<String> STEPS = List.of(
            "submit",
            "received",
            "execute",
            "repop",
            "replicate",
            "transaction",
            "commit",
            "repop.answer",
            "repop.reply",
            "reply",
            "done",
            "read",
            "read.disk",
            "read.answer",
            "query",
            "info",
            "elect",
            "merge",
            "pull",
            "activate",
            "push",
            "recover");

    /** Tells of a step that a host takes for the operation that a message is about. */
    public void operation(int host, String what, Message m, long ps) {
        operations.step((int) m.client, m.tid, host, what, ps);
    }

    /** Tells of a map in which other ones hold some groups. */
    void map(long ps, OsdMap map) {
        for (int pg = 0; pg < map.pgs(); pg++) {
            if (map.since(pg) == map.epoch()) {
                List<Integer> acting = map.acting(pg);
                events.table(ps, pg, map.epoch(), acting, Collections.nCopies(acting.size(), TargetState.SERVING));
            }
        }
    }

    /** Tells of a content that came with a write. */
    void wrote(long ps, int node, int pg, long oid, long version, @Nullable LogEntry e, long digest) {
        if (e != null) {
            events.logged(ps, node, pg, e.version(), e.oid(), e.client(), e.tid());
        }
        events.updated(ps, node, pg, oid, version);
        events.committed(ps, node, pg, oid, PgDisk.epoch(version), version, digest);
    }

    /** Tells what there is of a group, once another log has been taken over. */
    void merged(long ps, int node, int pg, PgDisk disk, Iterable<StoredObject> gone) {
        events.merged(ps, node, pg);
        for (LogEntry e : disk.log()) {
            events.logged(ps, node, pg, e.version(), e.oid(), e.client(), e.tid());
        }
        for (StoredObject o : gone) {
            events.replaced(ps, node, pg, o.oid(), 0, 0, 0);
        }
        for (StoredObject o : disk.objects()) {
            recovered(ps, node, pg, o);
        }
    }

    /** Tells what there is of an object. */
    void recovered(long ps, int node, int pg, StoredObject o) {
        long version = o.isMissing() ? 0 : o.version();
        events.replaced(ps, node, pg, o.oid(), PgDisk.epoch(version), version, version == 0 ? 0 : o.digest());
    }
}
