package dev.clockwire.storage.ceph.check;

import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.Invariant;
import dev.clockwire.storage.check.monitor.Monitors;
import dev.clockwire.storage.check.monitor.Replicas;
import dev.clockwire.storage.check.monitor.TargetState;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Tells the events of a Ceph to the monitors of the invariants that it promises. */
public final class CephMonitors implements CephEvents {
    /**
     * What Ceph promises: versions are epochs with numbers of the whole group, so they leave numbers out (not VER-1); copies are written in parallel (not VER-3); a group that nobody holds waits
     * (not MEM-1), several may fetch up at the same time, from the primary (not MEM-2 and SYNC-1), and a
     * primary that has not heard of a newer map takes writes that no replica takes from it (not MEM-4). Senders wait for receives, which nobody counts (not RD-1).
     */
    public static final Set<Invariant> PROMISED = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(
            Invariant.VER_1,
            Invariant.VER_3,
            Invariant.MEM_1,
            Invariant.MEM_2,
            Invariant.MEM_4,
            Invariant.SYNC_1,
            Invariant.RD_1)));

    private final Monitors common = new Monitors(EnumSet.copyOf(PROMISED));
    private final ReplyMonitor replies = new ReplyMonitor(common.replicas(), common.findings());
    private final LogMonitor logs = new LogMonitor(common.findings());
    private final SessionMonitor sessions = new SessionMonitor(common.findings());

    /** Creates monitors that know nothing. */
    public CephMonitors() {}

    /** Returns what was found. */
    public Findings findings() {
        return common.findings();
    }

    /** Returns what is known by the events so far. */
    public Replicas replicas() {
        return common.replicas();
    }

    @Override
    public void replied(long ps, int node, int pg, int epoch, long oid, long version) {
        replies.replied(ps, node, pg, epoch, oid, version);
    }

    @Override
    public void logged(long ps, int node, int pg, long version, long oid, long client, long tid) {
        logs.logged(ps, node, pg, version, oid, client, tid);
    }

    @Override
    public void merged(long ps, int node, int pg) {
        logs.merged(ps, node, pg);
    }

    @Override
    public void delivered(long ps, int node, int peer, long cookie, long seq) {
        sessions.delivered(ps, node, peer, cookie, seq);
    }

    @Override
    public void table(long ps, int chain, long chainVer, List<Integer> nodes, List<TargetState> states) {
        common.table(ps, chain, chainVer, nodes, states);
    }

    @Override
    public void adopted(long ps, int node, int chain, long chainVer) {
        common.adopted(ps, node, chain, chainVer);
    }

    @Override
    public void crashed(long ps, int node) {
        common.crashed(ps, node);
        sessions.crashed(ps, node);
    }

    @Override
    public void headed(long ps, int node, int chain, long chainVer) {
        common.headed(ps, node, chain, chainVer);
    }

    @Override
    public void updated(long ps, int node, int chain, long key, long version) {
        common.updated(ps, node, chain, key, version);
    }

    @Override
    public void committed(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        common.committed(ps, node, chain, key, chainVer, version, digest);
    }

    @Override
    public void replaced(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        common.replaced(ps, node, chain, key, chainVer, version, digest);
    }

    @Override
    public void removed(long ps, int node, int chain, long key) {
        common.removed(ps, node, chain, key);
    }

    @Override
    public void acked(long ps, int client, int chain, long key, long chainVer, long version) {
        common.acked(ps, client, chain, key, chainVer, version);
    }

    @Override
    public void pooled(long ps, int node, String pool, int free, int all) {
        common.pooled(ps, node, pool, free, all);
    }

    @Override
    public void quiescent(long ps) {
        common.quiescent(ps);
    }
}
