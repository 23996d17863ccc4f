package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.load.StorageSystem;
import dev.clockwire.storage.threefs.ThreeFs;
import dev.clockwire.storage.threefs.ThreeFsSystem;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mixed loads of four clients on few objects, quiet and with faults: what they see is linearizable and nothing is lost. */
class DaosLoadTest {
    private static final long US = 1_000_000L;

    private long retries;

    private static DaosSystem system(boolean soft, FaultPlan faults, long seed) {
        DiskKind disk = soft ? DiskKind.MEDIA : DiskKind.FULL;
        Cluster cluster = Rig.cluster(soft, disk, 3, 4, seed, faults);
        DaosSystem system = new DaosSystem("daos", new Daos(cluster, DaosSpec.quick(), 3, DtxTap.NONE));
        system.start();
        return system;
    }

    private LoadResult run(boolean soft, int size, FaultPlan faults, long seed) {
        DaosSystem system = system(soft, faults, seed);
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.MIX, size, 200, 4)).run();
        for (Node n : system.cluster().clients()) {
            retries += system.daos().client(n).retries();
        }
        return r;
    }

    @ParameterizedTest
    @CsvSource({"true,4096", "false,4096", "true,65536"})
    void aQuietRunIsLinearizable(boolean soft, int size) {
        LoadResult r = run(soft, size, FaultPlan.NONE, 11);
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences().toString()).isTrue();
        assertThat(r.ended()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"true,4096", "false,4096", "true,65536", "true,2048"})
    void aCrashAndFrameLossLoseNothing(boolean soft, int size) {
        FaultRule loss = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.001));
        long begin = system(soft, FaultPlan.of(loss), 12).cluster().sim().now();
        FaultRule crash = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CRASH, "node1"), new FaultTrigger.At(begin + 300 * US))
                .restartingAfter(3_000 * US);
        LoadResult r = run(soft, size, FaultPlan.of(crash, loss), 12);
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences() + " lost " + r.lostAcked()).isTrue();
        assertThat(r.ended()).isEqualTo(200);
        assertThat(retries).as("tries again: the crash must hit the load").isPositive();
    }

    /** An engine whose disk has failed for good ends, and its pool goes on without it: before, it stayed and refused a third of all. */
    @ParameterizedTest
    @CsvSource({"true,4096", "false,4096", "true,65536"})
    void aDiskThatFailsForGoodStopsNobody(boolean soft, int size) {
        DaosSystem system = system(soft, FaultPlan.NONE, 14);
        Node broken = system.cluster().nodes().get(0);
        broken.worker(0).after(300 * US, (a, b) -> broken.disk().fail(Disk.NEVER), 0, 0);
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.MIX, size, 200, 4)).run();
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences() + " lost " + r.lostAcked()).isTrue();
        assertThat(r.ended()).isEqualTo(200);
        assertThat(r.gone()).containsExactly("node0");
    }

    private static long writePs(StorageSystem system) {
        system.start();
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.WRITE, 4096, 20, 4)).run();
        assertThat(r.isSafe()).isTrue();
        return r.latency().percentile(50);
    }

    @Test
    void smallWritesAreFasterThanAChainOfPushes() {
        Daos daos =
                new Daos(Rig.cluster(false, DiskKind.FULL, 3, 1, 3, FaultPlan.NONE), DaosSpec.quick(), 3, DtxTap.NONE);
        ServiceSpec push = ServiceSpec.threeFs(DataPath.PUSH, 4096).withTimes(ThreeFsTimes.quick());
        ThreeFs chain =
                new ThreeFs(Rig.cluster(false, DiskKind.FULL, 3, 1, 3, FaultPlan.NONE), push, 1, 3, ProtocolTap.NONE);
        assertThat(writePs(new DaosSystem("daos", daos))).isLessThan(writePs(new ThreeFsSystem("3fs-push", chain)));
    }
}
