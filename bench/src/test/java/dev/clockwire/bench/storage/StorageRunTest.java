package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import org.junit.jupiter.api.Test;

class StorageRunTest {
    private static StorageSpec spec(FaultPlan faults) {
        return StorageSpec.of("3fs", Profiles.named("cx7-400g"), LoadSpec.of(LoadSpec.Op.MIX, 4096, 40, 3))
                .withHardware(true, DiskKind.MEDIA, 3)
                .withMachines(3, 3, 2)
                .withSoftware(SoftwareSpec.usual().withQuick(true))
                .withFaults(faults);
    }

    private static int incarnation(StorageRun run) {
        return run.system().cluster().nodes().get(1).incarnation();
    }

    /** Frames that are lost make the start take longer: time 0 is the first operation of the run that has the faults, not of one without. */
    @Test
    void timeZeroIsTheFirstOperationHoweverLongTheStartTakes() {
        FaultRule loss = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.01));
        FaultRule crash = FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "node1"), new FaultTrigger.At(0))
                .restartingAfter(3_000_000_000L);
        StorageRun quiet = new StorageRun(spec(FaultPlan.NONE));
        long quietStart = quiet.system().cluster().sim().now();
        StorageRun run = new StorageRun(spec(FaultPlan.of(loss, crash)));
        assertThat(run.beginPs()).isEqualTo(run.system().cluster().sim().now()).isGreaterThan(quietStart);
        // a service whose heartbeats are lost may end itself in the start: that is no fault's doing
        StorageRun lossOnly = new StorageRun(spec(FaultPlan.of(loss)));
        int before = incarnation(lossOnly);
        assertThat(incarnation(run)).as("before the first operation").isEqualTo(before);
        assertThat(run.run().isSafe()).isTrue();
        assertThat(lossOnly.run().isSafe()).isTrue();
        assertThat(incarnation(run)).isGreaterThan(before);
    }

    /** Ctrl-C: what is under way ends, and what there is then is judged. */
    @Test
    void aRunThatIsStoppedEndsEarlyWithAJudgedHistory() {
        StorageSpec usual = spec(FaultPlan.NONE);
        StorageRun run =
                new StorageRun(StorageSpec.of("3fs", usual.profile(), LoadSpec.of(LoadSpec.Op.MIX, 4096, 100_000, 3))
                        .withHardware(true, DiskKind.MEDIA, 3)
                        .withMachines(3, 3, 2));
        run.stopWhen(() -> true);
        LoadResult r = run.run();
        assertThat(run.isInterrupted()).isTrue();
        assertThat(r.begun()).isBetween(1L, 5_000L).isEqualTo(r.ended());
        assertThat(r.isSafe()).isTrue();
    }
}
