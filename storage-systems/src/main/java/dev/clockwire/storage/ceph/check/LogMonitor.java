package dev.clockwire.storage.ceph.check;

import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.Invariant;
import java.util.Map;
import java.util.TreeMap;

/** CE-2, AMO-4: the log of each group on each replica, and beside those of the others. */
final class LogMonitor implements CephEvents {
    private final Findings findings;
    private final Map<Integer, Map<Integer, GroupLog>> byNode = new TreeMap<>();
    /** All that any replica has ever logged of a group. */
    private final Map<Integer, GroupLog> all = new TreeMap<>();

    LogMonitor(Findings findings) {
        this.findings = findings;
    }

    private GroupLog log(int node, int pg) {
        return byNode.computeIfAbsent(node, n -> new TreeMap<>()).computeIfAbsent(pg, p -> new GroupLog());
    }

    @Override
    public void merged(long ps, int node, int pg) {
        log(node, pg).clear();
    }

    @Override
    public void logged(long ps, int node, int pg, long version, long oid, long client, long tid) {
        String who = "node " + node + ", group " + pg;
        GroupLog own = log(node, pg);
        if (version <= own.last()) {
            findings.report(Invariant.CE_2, ps, who, "version " + version + " behind " + own.last());
            return;
        }
        long before = own.versionOf(client, tid);
        if (before != 0) {
            findings.report(
                    Invariant.AMO_4,
                    ps,
                    who,
                    "versions " + before + " and " + version + " are both of request " + client + "." + tid);
        }
        own.add(version, oid, client, tid);
        GroupLog any = all.computeIfAbsent(pg, p -> new GroupLog());
        int at = any.find(version);
        if (at < 0) {
            any.add(version, oid, client, tid);
        } else if (!any.isSame(at, oid, client, tid)) {
            findings.report(
                    Invariant.CE_2,
                    ps,
                    who,
                    "version " + version + " is " + GroupLog.text(oid, client, tid) + ", elsewhere " + any.text(at));
        }
    }
}
