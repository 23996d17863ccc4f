package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.trace.Waterfall;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.load.KeptOperations;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.load.OperationSteps;
import dev.clockwire.storage.load.OperationTrail;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes one operation slow is the stage that grows, and no other. */
class StageTailTest {
    private static final long US = 1_000_000L;
    private static final long MS = 1_000 * US;
    private static final int SIZE = 16384;

    private static StorageSpec spec(String system, boolean soft, String schedule) {
        LoadSpec load = LoadSpec.of(LoadSpec.Op.WRITE, SIZE, 40, 1);
        return StorageSpec.of(system, Profiles.named("cx7-400g"), load)
                .withHardware(soft, soft ? DiskKind.MEDIA : DiskKind.FULL, 1)
                .withSchedule(FaultSchedule.parse(schedule));
    }

    private static List<Waterfall.Difference> excess(StorageSpec spec) {
        OperationTrail trail = new OperationTrail();
        StorageRun run = new StorageRun(spec, cluster -> cluster.follow(trail));
        assertThat(run.run().isSafe()).isTrue();
        assertThat(run.idleFaults()).isEmpty();
        KeptOperations writes = trail.writes();
        Waterfall median =
                run.system().order().path(near(writes, writes.latency().percentile(50)));
        return median.compare(
                run.system().order().path(near(writes, writes.latency().max())));
    }

    private static OperationSteps near(KeptOperations kept, long ps) {
        return Objects.requireNonNull(kept.nearest(ps));
    }

    /** The disk of the last node of the chain, once: for what it does in 5 ms it takes 10 ms more. */
    @ParameterizedTest
    @CsvSource({"3fs,true", "3fs,false", "3fs-push,true", "3fs-inline,true"})
    void aSlowDiskOfTheTail(String system, boolean soft) {
        StorageSpec spec = spec(system, soft, "node2:data#20 disk-slow for=5ms");
        onlyGrows("tail: SSD write", excess(spec));
    }

    @ParameterizedTest
    @ValueSource(strings = {"daos", "ceph", "ceph-crimson-rdma"})
    void aSlowDiskOfAReplica(String system) {
        String step = system.equals("daos") ? "data" : "transaction";
        StorageSpec spec = spec(system, true, "node2:" + step + "#20 disk-slow for=5ms");
        onlyGrows("replica: SSD write", excess(spec));
    }

    private static void onlyGrows(String stage, List<Waterfall.Difference> excess) {
        assertThat(excess)
                .filteredOn(d -> d.excessPs() > 9 * MS)
                .extracting(Waterfall.Difference::stage)
                .containsExactly(stage);
        assertThat(excess).filteredOn(d -> !d.stage().equals(stage)).allMatch(d -> d.excessPs() < 20 * US);
    }

    /** A client that has to ask again: the time of what failed stands by itself, and the rest is as long as ever. */
    @ParameterizedTest
    @ValueSource(strings = {"3fs", "daos", "ceph"})
    void triesThatFailedAreAStage(String system) {
        String step = system.equals("ceph") ? "execute" : "lock";
        StorageSpec spec = spec(system, true, "node0:" + (system.equals("daos") ? "dispatch" : step) + "#20 exit")
                .withSoftware(SoftwareSpec.usual().withQuick(true));
        assertThat(excess(spec)).anySatisfy(d -> {
            assertThat(d.stage()).isEqualTo("tries before");
            assertThat(d.firstPs()).isZero();
            assertThat(d.secondPs()).isGreaterThan(100 * US);
        });
    }
}
