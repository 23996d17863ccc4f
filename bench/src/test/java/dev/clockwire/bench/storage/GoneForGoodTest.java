package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines that crash and never come back are waited for no longer than the system's own waits take. */
class GoneForGoodTest {
    private static final long US = 1_000_000L;
    private static final double SECOND = 1e12;

    private static FaultRule crash(String node, long us) {
        FaultAction lost = new FaultAction.OnNode(FaultAction.NodeFault.CRASH, node);
        return FaultRule.of(lost, new FaultTrigger.At(us * US));
    }

    private static StorageRun run(String system, boolean quick, int ops, FaultRule... faults) {
        return new StorageRun(
                StorageSpec.of(system, Profiles.named("cx7-400g"), LoadSpec.of(LoadSpec.Op.MIX, 4096, ops, 4))
                        .withHardware(true, DiskKind.MEDIA, 1)
                        .withMachines(3, 3, 2)
                        .withSoftware(SoftwareSpec.usual().withQuick(quick))
                        .withFaults(FaultPlan.of(faults)));
    }

    /** The two that are left serve, and what they hold is compared. */
    @ParameterizedTest
    @ValueSource(strings = {"3fs", "3fs-push", "daos", "ceph", "ceph-crimson-rdma"})
    void oneOfThreeReplicas(String system) {
        StorageRun run = run(system, true, 60, crash("node1", 300));
        LoadResult r = run.run();
        assertThat(r.gone()).containsExactly("node1");
        assertThat(r.gaveUp()).isEmpty();
        assertThat(r.isSafe()).as(r.differences().toString()).isTrue();
        assertThat(r.ended()).isEqualTo(60);
        assertThat(run.system().cluster().sim().now() / SECOND).isLessThan(1);
    }

    /** One that comes back is waited for, however late that is. */
    @Test
    void oneThatComesBackLate() {
        LoadResult r = run("3fs", true, 20, crash("node1", 300).restartingAfter(5_000_000 * US))
                .run();
        assertThat(r.gone()).isEmpty();
        assertThat(r.isSafe()).as(r.differences().toString()).isTrue();
    }

    /** Ceph's min_size is 2: clients wait for ever, and the result is what there is. */
    @Test
    void twoOfThreeReplicasOfCeph() {
        StorageRun run = run("ceph", false, 60, crash("node1", 300), crash("node2", 400));
        LoadResult r = run.run();
        assertThat(r.gone()).containsExactly("node1", "node2");
        assertThat(r.gaveUp()).contains("without the end of its operations");
        assertThat(r.isSafe()).isFalse();
        assertThat(r.ended()).isBetween(1L, 59L);
        assertThat(r.verdict().isLinearizable()).isTrue();
        assertThat(run.system().cluster().sim().now() / SECOND).isBetween(100.0, 400.0);
    }

    /** Somebody who wants the end gets it, whatever is waited for then. */
    @Test
    void anInterruptEndsAWaitThatWouldBeLong() {
        StorageRun run =
                run("ceph", false, 60, crash("node1", 300), crash("node2", 400).restartingAfter(400_000_000 * US));
        int[] asked = {0};
        run.stopWhen(() -> ++asked[0] > 4);
        LoadResult r = run.run();
        assertThat(run.isInterrupted()).isTrue();
        assertThat(r.gaveUp()).startsWith("interrupted before");
        assertThat(r.differences()).isEmpty();
        assertThat(run.system().cluster().sim().now() / SECOND).isLessThan(400);
    }
}
