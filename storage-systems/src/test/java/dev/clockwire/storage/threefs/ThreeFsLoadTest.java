package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mixed loads of several clients on few chunks, quiet and with faults: what they see is linearizable and nothing is lost. */
class ThreeFsLoadTest {
    private static final long US = 1_000_000L;

    private static LoadResult run(DataPath path, FaultPlan faults, long seed) {
        LabSpec lab = LabSpec.of(seed).withSoft(SoftSpec.usual()).withFaults(faults);
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        ClusterSpec spec = ClusterSpec.of(Profiles.named("cx7-400g"), lab, 3, 4)
                .withManagers(1)
                .withSoftware(software, software);
        Cluster cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        ThreeFsSystem system =
                new ThreeFsSystem("3fs", new ThreeFs(cluster, Rig.service(path), 1, 3, ProtocolTap.NONE));
        system.start();
        return new Load(system, LoadSpec.of(LoadSpec.Op.MIX, Rig.SIZE, 200, 4)).run();
    }

    @ParameterizedTest
    @EnumSource(DataPath.class)
    void aQuietRunIsLinearizable(DataPath path) {
        LoadResult r = run(path, FaultPlan.NONE, 11);
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences().toString()).isTrue();
        assertThat(r.ended()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(DataPath.class)
    void aCrashAndFrameLossLoseNothing(DataPath path) {
        FaultRule crash = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CRASH, "node1"), new FaultTrigger.At(4_300 * US))
                .restartingAfter(3_000 * US);
        FaultRule loss = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.001));
        LoadResult r = run(path, FaultPlan.of(crash, loss), 12);
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences() + " lost " + r.lostAcked()).isTrue();
        assertThat(r.ended()).isGreaterThan(100);
    }
}
