package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.ceph.osd.Mutant;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.ceph.osd.OsdTimes;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of which a load shows nothing: what they are for happens at one instant, set up here step by step, with the rule and without. */
class CephRulesTest {
    private static final int SIZE = 4096;
    private static final long MS = CephRig.MS;
    /** Number of node0: the manager has 0. */
    private static final int PRIMARY = 1;

    private static final long OUT = 60 * MS;

    /**
     * Two others have last asked a primary almost an interval before it has last asked them, so they declare it dead while what they have promised it still holds: it may answer a client that
     * knows as little. Until then nobody acknowledges a write.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNewPrimaryWaitsUntilTheOldOneMayNotAnswerAnyMore(boolean heeds) {
        CephSpec spec = CephRig.spec();
        FaultRule again = FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "node0"), new FaultTrigger.At(2 * MS))
                .restartingAfter(6 * MS); // its heartbeats are some 8 ms behind those of the others from now on
        CephRig rig = new CephRig(
                spec.withOsd(spec.osd().withTimes(new OsdTimes(10 * MS, 19 * MS, 19 * MS, 2 * MS))),
                true,
                2,
                FaultPlan.of(again),
                OsdTap.NONE,
                5,
                3);
        if (!heeds) {
            rig.ceph.making(Mutant.NO_PROMISE::osd);
        }
        rig.start();
        Cluster c = rig.cluster;
        Node old = c.nodes().get(0);
        Node late = c.clients().get(1);
        c.sim().run(15 * MS);
        rig.write(0, SIZE, 1);
        c.sim().run(29 * MS);
        assertThat(rig.read(late, 0, SIZE)).isEqualTo(1);
        part(c, old, c.nodes().get(1));
        part(c, old, c.nodes().get(2));
        part(c, old, c.managers().get(0));
        part(c, late, c.managers().get(0));
        c.await(() -> !rig.ceph.monitor().map().isUp(old.number()), "a map without the old primary");
        c.sim().run(c.sim().now() + MS / 5);
        rig.write(0, SIZE, 2);
        assertThat(rig.read(late, 0, SIZE)).isEqualTo(heeds ? 2 : 1);
    }

    private static void part(Cluster c, Node a, Node b) {
        c.lab().part(a.number(), b.number(), c.sim().now(), OUT);
    }

    /**
     * The primary dies while both replicas still write what it has sent them. Who tells what it has before that is written does not tell of it, so it is taken back; but it has replaced what was
     * there before, which is on no disk any more.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nobodyTellsWhatItHasWhileItWrites(boolean flushes) {
        CephSpec spec = CephRig.spec();
        boolean[] primary = new boolean[1];
        boolean[] watched = new boolean[1];
        CephRig rig = new CephRig(
                spec.withOsd(spec.osd().withTimes(new OsdTimes(MS, 4 * MS, 3 * MS, 2 * MS))),
                true,
                2,
                FaultPlan.of(FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CRASH, "node0"), new FaultTrigger.At(100_000 * MS))),
                (node, what, pg, oid, version) -> primary[0] |= watched[0] && node == PRIMARY && what.equals("commit"),
                5,
                3);
        if (!flushes) {
            rig.ceph.making(Mutant.NO_FLUSH::osd);
        }
        rig.start();
        Cluster c = rig.cluster;
        rig.write(0, SIZE, 1);
        List<Node> osds = c.nodes();
        for (Node replica : osds.subList(1, 3)) {
            replica.disks().forEach(d -> d.slow(10 * MS, c.sim().now() + 25 * MS));
        }
        watched[0] = true;
        Node writer = rig.client();
        long va = writer.allocate("w2", SIZE, Allocation.Kind.BULK);
        writer.worker(0).post((a, b) -> rig.ceph.client(writer).write(0, va, SIZE, (v, l) -> {}), 0, 0);
        c.await(() -> primary[0], "the primary's own commit");
        c.lab().troubles(osds.get(0).number()).crash(c.sim().now(), OUT, false);
        c.sim().run(c.sim().now() + 2 * OUT);
        Node reader = c.clients().get(1);
        long to = reader.allocate("r", SIZE, Allocation.Kind.BULK);
        boolean[] read = new boolean[1];
        reader.worker(0).post((a, b) -> rig.ceph.client(reader).read(0, to, SIZE, (v, l) -> read[0] = v > 0), 0, 0);
        c.sim().runUntil(() -> read[0], c.sim().now() + 2 * OUT);
        assertThat(read[0]).isEqualTo(flushes);
    }
}
