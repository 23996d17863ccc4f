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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines that crash at each step of a write, and at steps of loads: what was acknowledged stays, and replicas end equal. */
class DaosFaultsTest {
    private static final long US = 1_000_000L;
    private static final long KEY = 3;
    private static final boolean FULL = Boolean.getBoolean("clockwire.full");
    private static final List<Integer> SIZES = List.of(2048, 4096, 65_536);

    private record Step(int engine, String what, long ps) {}

    private static FaultPlan crash(int engine, long ps) {
        return FaultPlan.of(
                FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "node" + engine), new FaultTrigger.At(ps))
                        .restartingAfter(3_000 * US));
    }

    /** Returns the steps of one write, behind another one. */
    private static List<Step> steps(int size, FaultPlan faults, boolean[] safe) {
        List<Step> seen = new ArrayList<>();
        Rig[] rig = new Rig[1];
        boolean[] on = new boolean[1];
        DtxTap tap = (engine, what, key, epoch) -> {
            if (on[0] && key == KEY) {
                seen.add(new Step(engine, what, rig[0].cluster.sim().now()));
            }
        };
        rig[0] = new Rig(DaosSpec.quick(), true, DiskKind.MEDIA, 1, faults, tap);
        rig[0].write(0, KEY, size, 1);
        rig[0].rest();
        on[0] = true;
        rig[0].write(0, KEY, size, 2);
        boolean known = rig[0].known;
        DaosSystem system = rig[0].rest();
        for (int i = 0; i < 3; i++) {
            int tag = rig[0].read(0, KEY, size);
            safe[0] &= rig[0].length == size && (known ? tag == 2 : tag == 1 || tag == 2);
        }
        safe[0] &= known && system.differences().isEmpty();
        return seen;
    }

    static List<Integer> sizes() {
        return SIZES;
    }

    /** At every step for every size in the full suite; else at every third, other ones for each size. */
    @ParameterizedTest
    @MethodSource("sizes")
    void aCrashAtAnyStepOfAWriteLosesNothing(int size) {
        boolean[] safe = {true};
        List<Step> all = steps(size, FaultPlan.NONE, safe);
        assertThat(safe[0]).isTrue();
        assertThat(all.stream().map(Step::what)).contains("dispatch", "prepared", "committable", "answer", "committed");
        for (int i = FULL ? 0 : SIZES.indexOf(size); i < all.size(); i += FULL ? 1 : SIZES.size()) {
            Step at = all.get(i);
            steps(size, crash(at.engine(), at.ps() + 1), safe);
            assertThat(safe[0]).as(at.toString()).isTrue();
        }
    }

    @Test
    void aLeaderThatDiesBehindTwoOfThreeLeavesAllEqual() {
        boolean[] safe = {true};
        List<Step> all = steps(4096, FaultPlan.NONE, safe);
        List<Step> prepared =
                all.stream().filter(s -> s.what().equals("prepared")).toList();
        assertThat(prepared).hasSize(3);
        long second = prepared.get(1).ps();
        List<Step> seen = steps(4096, crash(0, second + 1), safe);
        assertThat(safe[0]).isTrue();
        assertThat(seen.stream().map(Step::what)).contains("resync");
    }

    private static LoadResult load(long seed, FaultPlan faults, DtxTap tap, Cluster[] out) {
        Cluster cluster = Rig.cluster(true, DiskKind.MEDIA, 3, 2, seed, faults);
        out[0] = cluster;
        DaosSystem system = new DaosSystem("daos", new Daos(cluster, DaosSpec.quick(), 3, tap));
        system.start();
        return new Load(system, LoadSpec.of(LoadSpec.Op.MIX, 4096, 60, 2)).run();
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24, 25, 26, 27, 28})
    void crashesAtStepsOfALoadLoseNothing(long seed) {
        List<Step> all = new ArrayList<>();
        Cluster[] cluster = new Cluster[1];
        load(
                seed,
                FaultPlan.NONE,
                (e, what, key, epoch) ->
                        all.add(new Step(e, what, cluster[0].sim().now())),
                cluster);
        Step first = all.get((int) (seed * 7919 % all.size()));
        Step other = all.get((int) (seed * 104_729 % all.size()));
        FaultRule again = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CRASH, "node" + other.engine()),
                        new FaultTrigger.At(other.ps() + 13_000 * US))
                .restartingAfter(2_000 * US);
        FaultRule loss = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.002));
        List<FaultRule> rules =
                new ArrayList<>(crash(first.engine(), first.ps() + 1).rules());
        rules.add(again);
        rules.add(loss);
        LoadResult r = load(seed, new FaultPlan(rules), DtxTap.NONE, cluster);
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text()).isTrue();
        assertThat(r.isSafe()).as(r.differences() + " lost " + r.lostAcked()).isTrue();
        assertThat(r.ended()).isEqualTo(60);
    }
}
