package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mixed loads of four clients on few objects, quiet and with faults: what they see is linearizable and nothing is lost. */
class DaosLoadTest {
    private static final long US = 1_000_000L;

    private static LoadResult run(boolean soft, int size, FaultPlan faults, long seed) {
        DiskKind disk = soft ? DiskKind.MEDIA : DiskKind.FULL;
        Cluster cluster = Rig.cluster(soft, disk, 3, 4, seed, faults);
        DaosSystem system = new DaosSystem("daos", new Daos(cluster, DaosSpec.quick(), 3, DtxTap.NONE));
        system.start();
        return new Load(system, LoadSpec.of(LoadSpec.Op.MIX, size, 200, 4)).run();
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
        FaultRule crash = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CRASH, "node1"), new FaultTrigger.At(4_300 * US))
                .restartingAfter(3_000 * US);
        FaultRule loss = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.001));
        LoadResult r = run(soft, size, FaultPlan.of(crash, loss), 12);
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences() + " lost " + r.lostAcked()).isTrue();
        assertThat(r.ended()).isEqualTo(200);
    }
}
