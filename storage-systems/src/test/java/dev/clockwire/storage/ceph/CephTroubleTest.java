package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.ceph.osd.Mutant;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mixed loads under faults that leave an OSD alive: paused, cut off, on a slow or failing disk. */
class CephTroubleTest {
    private static final int OLD_PRIMARY = 1;
    private static final int SECOND_CLIENT = 5;
    private static final long AT = 1_700 * CephRig.US;

    private static FaultRule rule(String what, String node) {
        FaultTrigger.At at = new FaultTrigger.At(AT);
        return switch (what) {
            case "pause" ->
                FaultRule.of(new FaultAction.OnNode(NodeFault.PAUSE, node), at).lasting(40 * CephRig.MS);
            case "cut" ->
                FaultRule.of(new FaultAction.LinkDown(node + "-switch"), at).lasting(40 * CephRig.MS);
            default ->
                FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, node), at).restartingAfter(1 * CephRig.MS);
        };
    }

    private static void assertSafe(LoadResult r, int ops) {
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences() + " lost " + r.lostAcked()).isTrue();
        assertThat(r.ended()).isEqualTo(ops);
    }

    private static CephRig rig(FaultPlan faults, long seed) {
        CephSpec c = CephSpec.of(CephModel.CLASSIC, 3, 3).quick();
        CephSpec spec = c.withOsd(c.osd().withStreams(c.osd().streams().withPools(128, 512, 128)));
        return new CephRig(spec, true, 4, faults, OsdTap.NONE, seed, 3);
    }

    /** Every node is the primary of one group, so each does for the others. */
    @ParameterizedTest
    @CsvSource({"pause,node0", "cut,node1", "crash,node2", "cut,client1", "cut,mgmt0"})
    void machinesThatAreCutOffOrStopTellNoOldValues(String what, String node) {
        tellsNoOldValues(what, node);
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @CsvSource({"pause,node1", "pause,node2", "cut,node0", "cut,node2", "crash,node0"})
    void norDoTheOthers(String what, String node) {
        tellsNoOldValues(what, node);
    }

    private static void tellsNoOldValues(String what, String node) {
        CephRig rig = rig(FaultPlan.of(rule(what, node)), 21);
        CephSystem system = new CephSystem("ceph", rig.ceph);
        system.start();
        assertSafe(new Load(system, LoadSpec.of(LoadSpec.Op.MIX, 4096, 400, 4)).run(), 400);
        if (!node.startsWith("client") && !node.startsWith("mgmt")) {
            assertThat(rig.ceph.monitor().map().epoch())
                    .as("it was declared dead")
                    .isGreaterThanOrEqualTo(5);
        }
    }

    /** The old primary and one client see only each other: that client must not be told what was true before. */
    @ParameterizedTest
    @CsvSource({"false,2", "true,1"})
    void aPrimaryThatOthersReplacedAnswersNoReads(boolean withoutLease, long read) {
        long at = 4 * CephRig.MS;
        FaultFilter between = t -> t instanceof RocePacket p
                && isCutOff(LightFrame.hostOf(p.flow.srcMac)) != isCutOff(LightFrame.hostOf(p.flow.dstMac));
        FaultRule parted = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.At(at))
                .where(between)
                .lasting(60 * CephRig.MS);
        CephRig rig = new CephRig(CephRig.spec(), true, 2, FaultPlan.of(parted), OsdTap.NONE, 23, 3);
        if (withoutLease) {
            rig.ceph.making(Mutant.NO_LEASE::osd); // which tells what was true before
        }
        rig.start();
        Node other = rig.cluster.clients().get(1);
        rig.write(0, 4096, 1);
        assertThat(rig.read(other, 0, 4096)).isEqualTo(1);
        assertThat(rig.cluster.sim().now()).isLessThan(at);
        rig.cluster.await(() -> !rig.ceph.monitor().map().isUp(OLD_PRIMARY), "a map without the primary");
        rig.write(0, 4096, 2);
        assertThat(rig.cluster.sim().now()).as("still parted").isLessThan(at + 50 * CephRig.MS);
        assertThat(rig.read(other, 0, 4096)).isEqualTo(read);
    }

    private static boolean isCutOff(int host) {
        return host == OLD_PRIMARY || host == SECOND_CLIENT;
    }

    @ParameterizedTest
    @CsvSource({"slow", "fail"})
    void disksThatAreSlowOrFailLoseNothing(String how) {
        CephRig rig = rig(FaultPlan.NONE, 22);
        CephSystem system = new CephSystem("ceph", rig.ceph);
        system.start();
        var disk = rig.cluster.nodes().get(1).disk();
        long until = rig.cluster.sim().now() + 3 * CephRig.MS;
        if (how.equals("slow")) {
            disk.slow(CephRig.MS, until);
        } else {
            disk.fail(until);
        }
        assertSafe(new Load(system, LoadSpec.of(LoadSpec.Op.MIX, 4096, 200, 4)).run(), 200);
    }
}
