package dev.clockwire.storage.ceph.check;

import dev.clockwire.storage.check.monitor.ChainTable;
import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.Invariant;
import dev.clockwire.storage.check.monitor.Replicas;
import org.jspecify.annotations.Nullable;

/** CE-1: what a primary answers is on the disks of all that act for the group. */
final class ReplyMonitor implements CephEvents {
    private final Replicas replicas;
    private final Findings findings;

    ReplyMonitor(Replicas replicas, Findings findings) {
        this.replicas = replicas;
        this.findings = findings;
    }

    @Override
    public void replied(long ps, int node, int pg, int epoch, long oid, long version) {
        @Nullable ChainTable table = replicas.table(pg, epoch);
        String who = "node " + node + ", object " + oid + " of group " + pg;
        if (table == null || table.servingCount() == 0) {
            findings.report(Invariant.CE_1, ps, who, "nobody acts for the group in epoch " + epoch);
            return;
        }
        int chunk = replicas.chunk(pg, oid);
        for (int i = 0; i < table.servingCount(); i++) {
            long has = replicas.commitVersion(table.serving(i), chunk);
            if (has < version) {
                findings.report(
                        Invariant.CE_1,
                        ps,
                        who,
                        "version " + version + " is answered, node " + table.serving(i) + " has " + has);
            }
        }
    }
}
