package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.daos.engine.Engine;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines of several targets, a core each: where objects are, what that costs on the wire, how it scales, and that faults lose nothing. */
class TargetsTest {
    @ParameterizedTest
    @CsvSource({"true,MEDIA,false", "true,MEDIA,true", "false,FULL,true"})
    void eachTargetHasItsObjectsAndMessagesStayTheSame(boolean soft, DiskKind disk, boolean offload) {
        Rig rig = new Rig(DaosSpec.quick().withTargets(4, offload), soft, disk, 1, FaultPlan.NONE, DtxTap.NONE);
        for (int key = 0; key < 12; key++) {
            rig.write(0, key, 4096, 100 + key);
        }
        rig.rest();
        rig.wire.restart();
        rig.write(0, 3, 4096, 77); // group 0, target 1
        assertThat(rig.wire.sends()).isEqualTo(6);
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(4);
        rig.rest();
        rig.wire.restart();
        rig.write(0, 9, 65_536, 78); // group 0, target 3
        assertThat(rig.wire.sends()).isEqualTo(6);
        assertThat(rig.wire.reads()).isEqualTo(3);
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(6);
        rig.rest();
        Engine engine = rig.daos.engine(rig.cluster.nodes().get(0));
        assertThat(engine.targets().stream().map(t -> t.vos().keys().size())).containsExactly(3, 3, 3, 3);
        assertThat(rig.read(0, 3, 4096)).isEqualTo(77);
        assertThat(rig.read(0, 9, 65_536)).isEqualTo(78);
        assertThat(rig.read(0, 11, 4096)).isEqualTo(111);
        assertThat(rig.system.differences()).isEmpty();
    }

    private static long worked(CpuCore core) {
        return core.busyPs() - core.pollingPs();
    }

    /** Returns operations a second, and the share of time for which the cores of targets and of clients work. */
    private static double[] rate(int targets) {
        DaosSpec spec = DaosSpec.quick().withTargets(targets, false);
        Cluster cluster = Rig.cluster(true, DiskKind.MEDIA, 1, 4, 3, FaultPlan.NONE, targets);
        DaosSystem system = new DaosSystem("daos", new Daos(cluster, spec, 1, DtxTap.NONE));
        system.start();
        List<CpuCore> own = system.daos().engine(cluster.nodes().get(0)).targets().stream()
                .map(t -> t.worker().core())
                .toList();
        List<CpuCore> asking =
                cluster.clients().stream().map(c -> c.worker(0).core()).toList();
        long targetsBefore = own.stream().mapToLong(TargetsTest::worked).sum();
        long clientsBefore = asking.stream().mapToLong(TargetsTest::worked).sum();
        LoadSpec load = new LoadSpec(LoadSpec.Op.WRITE, 2048, 2000, 96, 16, 0);
        LoadResult r = new Load(system, load).run();
        assertThat(r.isSafe()).isTrue();
        double elapsed = r.elapsedPs();
        return new double[] {
            r.ended() * 1e12 / elapsed,
            (own.stream().mapToLong(TargetsTest::worked).sum() - targetsBefore) / elapsed / targets,
            (asking.stream().mapToLong(TargetsTest::worked).sum() - clientsBefore) / elapsed / asking.size()
        };
    }

    @Test
    void writesScaleWithTargetsUntilTheClientsCannotAskFaster() {
        double[] one = rate(1);
        double[] two = rate(2);
        double[] eight = rate(8);
        assertThat(one[1]).as("the core of the target").isGreaterThan(0.95);
        assertThat(two[0] / one[0]).isBetween(1.9, 2.1);
        assertThat(eight[0] / one[0]).isBetween(3.0, 4.5);
        assertThat(eight[1]).as("cores of targets").isLessThan(0.7);
        assertThat(eight[2]).as("cores of clients").isGreaterThan(0.95);
    }

    @Test
    void faultsOfEnginesWithTwoTargetsAndAnOffloadStreamLoseNothing() {
        DaosTrial of = DaosTrial.of(DaosTrial.spec().withTargets(2, true), new DtxRules(), 4096)
                .with(new LoadSpec(LoadSpec.Op.MIX, 4096, 24, 6, 1, 50));
        DaosTrial.assertSafe(of.sample(8, 1, 11));
        DaosTrial.assertSafe(of.sample(4, 2, 12));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 33})
    void countsOfTargetsThatCannotBeAreRefused(int n) {
        assertThatThrownBy(() -> DaosSpec.daos().withTargets(n, false))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("targets " + n);
    }

    @Test
    void enginesNeedACoreForEachTarget() {
        Cluster two = Rig.cluster(true, DiskKind.MEDIA, 3, 1, 1, FaultPlan.NONE, 2);
        assertThatThrownBy(() -> new Daos(two, DaosSpec.daos().withTargets(2, true), 3, DtxTap.NONE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("3 cores on nodes of 2");
    }
}
