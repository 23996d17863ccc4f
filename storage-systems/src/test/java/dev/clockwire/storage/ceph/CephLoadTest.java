package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mixed loads of several clients on few objects, quiet and with faults: what they see is linearizable, nothing is lost, and replicas are equal in the end. */
class CephLoadTest {
    private int mapsBefore;
    private int mapsAfter;
    private long resent;
    private long startedPs;

    private LoadResult run(CephModel model, boolean soft, FaultPlan faults, long seed, int ops) {
        CephSpec c = CephSpec.of(model, 3, 3).quick();
        CephSpec spec = c.withOsd(c.osd().withStreams(c.osd().streams().withPools(128, 512, 128)));
        CephRig rig = new CephRig(spec, soft, 4, faults, OsdTap.NONE, seed, 3);
        CephSystem system = new CephSystem("ceph", rig.ceph);
        system.start();
        startedPs = rig.cluster.sim().now();
        mapsBefore = rig.ceph.monitor().map().epoch();
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.MIX, 4096, ops, 4)).run();
        mapsAfter = rig.ceph.monitor().map().epoch();
        resent = rig.cluster.clients().stream()
                .mapToLong(n -> rig.ceph.client(n).resent())
                .sum();
        return r;
    }

    private static void assertSafe(LoadResult r) {
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences() + " lost " + r.lostAcked()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"CLASSIC,true,200", "CLASSIC,false,60", "CRIMSON_RDMA,true,200"})
    void aQuietRunIsLinearizable(CephModel model, boolean soft, int ops) {
        LoadResult r = run(model, soft, FaultPlan.NONE, 11, ops);
        assertSafe(r);
        assertThat(r.ended()).isEqualTo(ops);
    }

    /** An OSD whose disk has failed for good ends, and groups go on without it. */
    @ParameterizedTest
    @CsvSource({"CLASSIC,true,60", "CLASSIC,false,40", "CRIMSON_RDMA,true,60"})
    void aDiskThatFailsForGoodStopsNobody(CephModel model, boolean soft, int ops) {
        CephRig rig = new CephRig(CephSpec.of(model, 3, 3).quick(), soft, 2, FaultPlan.NONE, OsdTap.NONE, 14, 3);
        CephSystem system = new CephSystem("ceph", rig.ceph);
        system.start();
        Node broken = rig.cluster.nodes().get(0);
        broken.worker(0).after(60 * CephRig.US, (a, b) -> broken.disk().fail(Disk.NEVER), 0, 0);
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.MIX, 4096, ops, 4)).run();
        assertSafe(r);
        assertThat(r.ended()).isEqualTo(ops);
        assertThat(r.gone()).containsExactly("node0");
    }

    /** Whom a client has lost while it connected it meets again, though nothing is asked of him. */
    @ParameterizedTest
    @ValueSource(longs = {1800, 2200})
    void aCrashWhileClientsConnect(long crashUs) {
        FaultRule crash = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CRASH, "node1"), new FaultTrigger.At(crashUs * CephRig.US))
                .restartingAfter(20 * CephRig.MS);
        FaultRule loss = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.001));
        assertSafe(run(CephModel.CLASSIC, true, FaultPlan.of(crash, loss), 13, 20));
    }

    @ParameterizedTest
    @CsvSource({
        "CLASSIC,true,400,12,300",
        "CLASSIC,true,400,13,700",
        "CLASSIC,false,200,12,500",
        "CRIMSON_RDMA,true,400,12,400"
    })
    void aCrashAndFrameLossLoseNothing(CephModel model, boolean soft, int ops, long seed, long crashUs) {
        FaultRule loss = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.001));
        run(model, soft, FaultPlan.of(loss), seed, 1); // the same until the crash
        FaultRule crash = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CRASH, "node1"),
                        new FaultTrigger.At(startedPs + crashUs * CephRig.US))
                .restartingAfter(20 * CephRig.MS);
        LoadResult r = run(model, soft, FaultPlan.of(loss, crash), seed, ops);
        assertSafe(r);
        assertThat(r.ended()).isEqualTo(ops);
        assertThat(mapsAfter)
                .as("the primary of a group was down, and came back")
                .isGreaterThanOrEqualTo(mapsBefore + 2);
        assertThat(resent).isPositive();
    }
}
