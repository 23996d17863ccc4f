package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.trace.Waterfall;
import dev.clockwire.storage.check.Operation;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.load.KeptOperations;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.load.OperationSteps;
import dev.clockwire.storage.load.OperationTrail;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Each instant of an operation belongs to one stage, whatever goes wrong, and following operations changes nothing. */
class StageProperties {
    private static final int OPS = 48;
    private static final List<String> THREE_FS = List.of(
            "",
            "node1:written#5 crash restart=3ms",
            "node0:forward#3 link for=2ms",
            "node2:commit#4 disk-slow for=2ms",
            "node0:received#6 exit",
            "node1:answer#4 pause for=1ms; node2:read#3 exit");
    private static final List<String> DAOS = List.of(
            "",
            "node1:reply#3 crash restart=3ms",
            "node0:received#5 link for=2ms",
            "node2:data#2 disk-slow for=2ms",
            "node0:forward#4 exit",
            "node1:fetch#3 exit; node2:persist#5 pause for=1ms");
    private static final List<String> CEPH = List.of(
            "",
            "node1:repop.answer#3 crash restart=3ms",
            "node0:received#4 link for=2ms",
            "node2:transaction#4 disk-slow for=2ms",
            "node0:execute#3 exit",
            "node1:read.disk#2 exit; node2:repop.reply#2 pause for=1ms");

    private record Case(StorageSpec spec) {
        @Override
        public String toString() {
            return spec.system() + " of " + spec.load().size() + " B, seed " + spec.seed() + ", soft " + spec.soft()
                    + ", " + spec.disk() + ", '" + spec.schedule() + "'";
        }
    }

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<String> systems = Arbitraries.of(StorageSystems.names());
        Arbitrary<Integer> sizes = Arbitraries.of(1024, 16384);
        Arbitrary<Integer> faults = Arbitraries.integers().between(0, THREE_FS.size() - 1);
        Arbitrary<Long> seeds = Arbitraries.longs().between(1, 1000);
        return Combinators.combine(systems, sizes, faults, seeds, Arbitraries.of(true, true, false))
                .as(StageProperties::of);
    }

    private static Case of(String system, int size, int fault, long seed, boolean soft) {
        List<String> schedules = system.startsWith("3fs") ? THREE_FS : system.equals("daos") ? DAOS : CEPH;
        LoadSpec load = new LoadSpec(LoadSpec.Op.MIX, size, OPS, 6, 2, 50);
        return new Case(StorageSpec.of(system, Profiles.named("cx7-400g"), load)
                .withHardware(soft, seed % 3 == 0 ? DiskKind.FULL : DiskKind.MEDIA, seed)
                .withMachines(3, 3, 2)
                .withSoftware(SoftwareSpec.usual().withQuick(true))
                .withSchedule(FaultSchedule.parse(schedules.get(fault))));
    }

    @Property(tries = 40)
    void stagesAreTheLatencies(@ForAll("cases") Case c) {
        OperationTrail trail = new OperationTrail();
        StorageRun run = new StorageRun(c.spec, cluster -> cluster.follow(trail));
        LoadResult r = run.run();
        assertThat(trail.reads().latency().count() + trail.writes().latency().count())
                .isEqualTo(r.ended());
        for (KeptOperations kept : List.of(trail.reads(), trail.writes())) {
            for (OperationSteps op : kept.all()) {
                Waterfall path = run.system().order().path(op);
                assertThat(path.startPs()).isEqualTo(op.startPs());
                assertThat(path.perStage().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                        .isEqualTo(op.latencyPs());
                assertThat(path.perStage()).as(c + " " + op).doesNotContainKey(Waterfall.UNACCOUNTED);
                assertThat(r.history().operations())
                        .as("what the client has seen of " + path.perStage())
                        .anyMatch(o -> isSame(o, op));
            }
        }
    }

    private static boolean isSame(Operation seen, OperationSteps op) {
        return seen.invokePs() == op.startPs()
                && seen.returnPs() == op.endPs()
                && seen.outcome() == Operation.Outcome.OK
                && seen.isWrite() == op.isWrite();
    }

    @Property(tries = 12)
    void followingChangesNothing(@ForAll("cases") Case c) {
        StorageRun alone = new StorageRun(c.spec);
        LoadResult one = alone.run();
        StorageRun followed = new StorageRun(c.spec, cluster -> cluster.follow(new OperationTrail()));
        LoadResult other = followed.run();
        assertThat(followed.system().cluster().sim().traceHash())
                .isEqualTo(alone.system().cluster().sim().traceHash());
        assertThat(other.history().operations()).isEqualTo(one.history().operations());
        assertThat(other.traffic()).isEqualTo(one.traffic());
    }
}
