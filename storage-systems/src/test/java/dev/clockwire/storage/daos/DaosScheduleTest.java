package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several faults at random times: engines that crash, stand still or are cut off, alone or together. */
class DaosScheduleTest {
    private static final long US = 1_000_000L;

    /** Some; more of them in the full suite. */
    static LongStream seeds() {
        LongStream some = LongStream.of(100, 184, 223);
        return Boolean.getBoolean("clockwire.full") ? LongStream.concat(some, LongStream.of(101, 102, 103)) : some;
    }

    static FaultPlan plan(long seed) {
        RandomStream random = RandomStream.named(seed, "schedule");
        List<FaultRule> rules = new ArrayList<>();
        int faults = 1 + random.below(3);
        for (int i = 0; i < faults; i++) {
            String node = "node" + random.below(3);
            FaultTrigger at = new FaultTrigger.At((5_000 + random.below(8_000)) * US);
            long ps = (200 + random.below(20_000)) * US;
            rules.add(
                    switch (random.below(4)) {
                        case 0 ->
                            FaultRule.of(new FaultAction.OnNode(NodeFault.PAUSE, node), at)
                                    .lasting(ps);
                        case 1 ->
                            FaultRule.of(new FaultAction.LinkDown(node + "-switch"), at)
                                    .lasting(ps);
                        default ->
                            FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, node), at)
                                    .restartingAfter(ps);
                    });
        }
        rules.add(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.001)));
        return new FaultPlan(rules);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLost(long seed) {
        FaultPlan plan = plan(seed);
        Cluster cluster = Rig.cluster(true, DiskKind.MEDIA, 3, 3, seed, plan);
        DaosSystem system = new DaosSystem("daos", new Daos(cluster, DaosSpec.quick(), 3, DtxTap.NONE));
        system.start();
        int size = seed % 3 == 0 ? 32_768 : 4096;
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.MIX, size, 900, 3)).run();
        assertThat(r.verdict().isLinearizable()).as(r.verdict().text() + plan).isTrue();
        assertThat(r.isSafe())
                .as(r.differences() + " lost " + r.lostAcked() + plan)
                .isTrue();
        assertThat(r.ended()).as(plan.toString()).isGreaterThan(890);
    }
}
