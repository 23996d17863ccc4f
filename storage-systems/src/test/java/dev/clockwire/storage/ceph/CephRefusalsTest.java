package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be is refused before anything runs, and disks that differ are told of. */
class CephRefusalsTest {
    private static final int SIZE = 4096;

    private static void isRefused(ThrowingCallable what, String... words) {
        assertThatThrownBy(what).isInstanceOf(ConfigurationException.class).hasMessageContainingAll(words);
    }

    @Test
    void modelsHaveNames() {
        assertThat(CephModel.of("classic")).isEqualTo(CephModel.CLASSIC);
        assertThat(CephModel.of("crimson-rdma")).isEqualTo(CephModel.CRIMSON_RDMA);
        assertThat(CephModel.CRIMSON_RDMA.word()).isEqualTo("crimson-rdma");
        isRefused(() -> CephModel.of("clasic"), "'clasic'", "classic");
        isRefused(() -> CephModel.of("crimson"), "Seastar has no RDMA", "crimson-rdma");
        isRefused(() -> CephSpec.of(CephModel.CRIMSON, 1, 3), "Seastar has no RDMA");
    }

    @ParameterizedTest
    @CsvSource({"0, 3, 0 placement groups", "65537, 3, 65537 placement groups", "1, 0, size 0"})
    void poolsHaveGroupsAndReplicas(int pgs, int replicas, String why) {
        isRefused(() -> CephSpec.of(CephModel.CLASSIC, pgs, replicas), why);
    }

    /** Two halves of a group could each go on without the other, or none ever could. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 4", "3, 2"})
    void whatMayGoOnIsMoreThanHalf(int least, int size) {
        var osd = CephSpec.of(CephModel.CLASSIC, 1, 2 * least - 1).osd();
        assertThat(osd.minReplicas()).isEqualTo(least);
        isRefused(() -> new CephSpec(CephModel.CLASSIC, 1, size, osd), "size " + size, "min_size " + least);
    }

    private static Cluster cluster(CephSpec of, int nodes, int managers) {
        ClusterSpec c = ClusterSpec.of(Profiles.named("cx7-400g"), LabSpec.of(1).withSoft(SoftSpec.usual()), nodes, 1)
                .withManagers(managers)
                .withSoftware(CephSpec.software(of.model()), CephSpec.software(of.model()));
        return new Cluster(c.withDisk(c.ssd(), DiskKind.MEDIA));
    }

    @Test
    void machinesMustDo() {
        CephSpec three = CephSpec.of(CephModel.CLASSIC, 1, 3);
        isRefused(() -> new Ceph(cluster(three, 2, 1), three, OsdTap.NONE), "3 replicas on 2 storage nodes");
        isRefused(() -> new Ceph(cluster(three, 3, 0), three, OsdTap.NONE), "no manager for the monitor");
        CephSpec crimson = CephSpec.of(CephModel.CRIMSON_RDMA, 1, 3);
        CephSpec four = crimson.withOsd(crimson.osd().withShards(4));
        isRefused(() -> new Ceph(cluster(four, 3, 1), four, OsdTap.NONE), "4 reactors on 1 workers");
    }

    @Test
    void whoAsksTheWrongMachineIsTold() {
        CephRig rig = new CephRig(CephRig.spec(), true, 1, FaultPlan.NONE, OsdTap.NONE, 5, 4);
        rig.start();
        isRefused(() -> rig.ceph.client(rig.cluster.nodes().get(0)), "node0 runs no client");
        isRefused(() -> rig.ceph.osd(rig.client()), "client0 runs no OSD");
        isRefused(() -> rig.ceph.disk(rig.cluster.nodes().get(3), 0), "node3 holds no group 0");
    }

    private static CephRig written(FaultPlan faults) {
        CephRig rig = new CephRig(CephRig.spec(), true, 1, faults, OsdTap.NONE, 5, 3).start();
        rig.write(7, SIZE, 1);
        return rig;
    }

    /** A node that stops for good lacks an object, and has an old one. */
    @Test
    void disksThatDifferAreToldOf() {
        CephRig whole = written(FaultPlan.NONE);
        assertThat(new CephSystem("ceph", whole.ceph).differences()).isEmpty();
        long ps = whole.cluster.sim().now() + CephRig.US;
        CephRig rig = written(FaultPlan.of(
                FaultRule.of(new FaultAction.OnNode(FaultAction.NodeFault.CRASH, "node2"), new FaultTrigger.At(ps))
                        .restartingAfter(10_000_000 * CephRig.US))); // one that never came back would not be compared
        rig.cluster.sim().run(ps + CephRig.US);
        rig.write(7, SIZE, 2);
        rig.write(8, SIZE, 3);
        CephSystem system = new CephSystem("ceph", rig.ceph);
        assertThat(system.ceph()).isSameAs(rig.ceph);
        assertThat(system.differences())
                .hasSize(4)
                .allMatch(d -> d.startsWith("group 0 on node2"))
                .anyMatch(d -> d.contains("has another log than the first: 1 entries"))
                .anyMatch(d -> d.contains("has 1 objects, the first 2"))
                .anyMatch(d -> d.contains("StoredObject[oid=7") && d.contains("the first has StoredObject[oid=7"))
                .anyMatch(d -> d.contains(": null, the first has StoredObject[oid=8"));
    }
}
