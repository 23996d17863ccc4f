package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.ceph.osd.Pg;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reactors of an OSD in the manner of Crimson: groups are spread over them, what crosses costs, and one that is busy keeps its own groups waiting. */
class CephShardsTest {
    private static final int SIZE = 4096;
    /** Groups take nodes in turn, so on the first node those of 0 and 3 have their primary. */
    private static final int PGS = 6;

    private static final long HERE = 0;
    private static final long THERE = 3;

    private static CephSpec spec(int shards) {
        CephSpec c = CephSpec.of(CephModel.CRIMSON_RDMA, PGS, 3);
        return c.withOsd(
                c.osd().withStreams(c.osd().streams().withPools(128, 256, 128)).withShards(shards));
    }

    private static CephRig rig(CephSpec spec, int clients) {
        return new CephRig(spec, true, clients, FaultPlan.NONE, OsdTap.NONE, 5, 3).start();
    }

    private static Node first(CephRig rig) {
        return rig.cluster.nodes().get(0);
    }

    private static long writePs(CephRig rig, long oid) {
        long at = rig.cluster.sim().now();
        rig.write(oid, SIZE, 7);
        return rig.cluster.sim().now() - at;
    }

    private static long readPs(CephRig rig, long oid) {
        long at = rig.cluster.sim().now();
        assertThat(rig.read(oid, SIZE)).isEqualTo(7);
        return rig.cluster.sim().now() - at;
    }

    @Test
    void groupsAreSpreadOverTheReactors() {
        CephRig rig = rig(spec(4), 1);
        for (Pg pg : rig.ceph.osd(first(rig)).pgs()) {
            assertThat(pg.shard()).isEqualTo(pg.id() % 4);
        }
    }

    /** A read goes over and back for the operation and for the disk; nothing crosses for a group of the reactor that has the connections. */
    @Test
    void whatCrossesCosts() {
        CephRig rig = rig(spec(2), 1);
        writePs(rig, HERE);
        writePs(rig, THERE);
        long hops = rig.ceph.osd(first(rig)).hops();
        long near = readPs(rig, HERE);
        assertThat(rig.ceph.osd(first(rig)).hops()).isEqualTo(hops);
        long far = readPs(rig, THERE);
        assertThat(rig.ceph.osd(first(rig)).hops()).isEqualTo(hops + 4);
        assertThat(far - near)
                .as("a hop takes a microsecond, and its loop looks for it in turn")
                .isBetween(4 * CephRig.US, 8 * CephRig.US);
        CephRig alone = rig(spec(1), 1);
        writePs(alone, THERE);
        assertThat(readPs(alone, THERE)).isBetween(near - CephRig.US, near + CephRig.US);
        assertThat(alone.ceph.osd(first(alone)).hops()).isZero();
    }

    /** A long task on one reactor: its groups wait, those of the others do not notice. */
    @Test
    void aReactorThatIsStalledKeepsItsGroupsWaiting() {
        CephRig rig = rig(spec(2), 1);
        writePs(rig, HERE);
        writePs(rig, THERE);
        long near = readPs(rig, HERE);
        long far = readPs(rig, THERE);
        Worker busy = first(rig).worker(1);
        assertThat(busy.longestStepPs()).isLessThan(CephRig.MS);
        busy.post((a, b) -> busy.core().charge(3 * CephRig.MS), 0, 0);
        rig.cluster.sim().run(rig.cluster.sim().now() + CephRig.US);
        assertThat(readPs(rig, HERE)).isBetween(near - CephRig.US, near + CephRig.US);
        assertThat(readPs(rig, THERE)).isBetween(far + 2900 * CephRig.US, far + 3 * CephRig.MS);
        assertThat(busy.longestStepPs()).isGreaterThanOrEqualTo(3 * CephRig.MS);
        assertThat(first(rig).worker(0).longestStepPs()).isLessThan(CephRig.MS);
    }

    /** What the operations cost is shared by the cores. */
    @Test
    void severalReactorsDoMoreOperations() {
        long[] ps = new long[2];
        for (int i = 0; i < 2; i++) {
            CephSpec s =
                    new CephSpec(CephModel.CRIMSON_RDMA, 12, 3, spec(1 + 3 * i).osd());
            CephRig rig = new CephRig(
                    s.withOsd(s.osd().withOpPs(30 * CephRig.US)), true, 4, FaultPlan.NONE, OsdTap.NONE, 5, 3);
            CephSystem system = new CephSystem("ceph", rig.ceph);
            system.start();
            LoadResult r =
                    new Load(system, LoadSpec.of(LoadSpec.Op.MIX, SIZE, 200, 24).withDepth(6)).run();
            assertThat(r.isSafe())
                    .as(r.differences() + " " + r.verdict().text())
                    .isTrue();
            ps[i] = r.elapsedPs();
        }
        assertThat(ps[0]).as("four reactors for one").isGreaterThan(ps[1] * 3 / 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "node0:commit#2 exit",
                "node1:repop#1 crash restart=3ms",
                "node2:replicate#2 reset restart=3ms",
                "node0:execute#2 link for=15ms",
                "node1:merge#1 pause for=15ms",
                "node0:read#2 crash restart=20ms"
            })
    void faultsLoseNothing(String schedule) {
        CephTrial t = CephTrial.of(CephModel.CRIMSON_RDMA);
        CephSpec four =
                new CephSpec(CephModel.CRIMSON_RDMA, 5, 3, t.spec().osd().withShards(3));
        assertThat(t.with(four).with(schedule).judge()).isEmpty();
    }

    @Test
    void reactorsAreRefusedWhereThereAreNone() {
        CephSpec classic = CephSpec.of(CephModel.CLASSIC, 1, 3);
        assertThatThrownBy(() -> classic.osd().withShards(2))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("classic OSDs have none");
    }
}
