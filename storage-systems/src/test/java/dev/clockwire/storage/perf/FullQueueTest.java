package dev.clockwire.storage.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole path with more I/Os than its queue has entries, and without its end. */
class FullQueueTest {
    private static final Profile PROFILE = Profiles.named("cx7-400g");

    private static FabricStack stack(LabSpec lab, TransportSpec transport, int depth, String media) {
        return FabricRig.stack(FabricRig.spec(PROFILE, lab, transport, media), depth, 1);
    }

    /** More I/Os than the queue has entries, whose data the target fetches: the next command comes before the last answer's send is polled. */
    @ParameterizedTest
    @CsvSource({"64,16384,true", "64,16384,false", "200,65536,true", "130,512,false"})
    void aFullQueueStaysWithinItsDepth(int depth, int bytes, boolean shared) {
        TransportSpec deep =
                FabricRig.QUICK.withBuffers(8192, 256, 135_168, 128).withSrq(shared, 512);
        FabricStack s = stack(LabSpec.of(1).withPayload(PayloadMode.SIZES), deep, depth, "null");
        PerfResult r = FabricRig.run(s, FabricRig.load(depth, bytes, 0, 300)).get(0);
        assertThat(r.errors()).isZero();
        assertThat(r.latency().count()).isGreaterThan(20);
        assertThat(s.controller().losses()).isZero();
    }

    /** The line is cut for good: what was under way, what waited and nothing else has failed. */
    @Test
    void aLoadWithoutItsTargetEnds() {
        LabSpec lab = LabSpec.of(1).withPayload(PayloadMode.SIZES);
        FabricStack before = stack(lab, FabricRig.QUICK, 140, "p5800x");
        before.connect();
        FaultRule cut = FaultRule.of(
                new FaultAction.LinkDown("link"),
                new FaultTrigger.At(before.sim().now() + 60 * FabricRig.US));
        FabricStack s = stack(lab.withFaults(FaultPlan.of(cut)), FabricRig.QUICK, 140, "p5800x");
        s.connect();
        PerfQueue q = s.queues().get(0);
        PerfSpec load = FabricRig.load(140, 4096, 100, 100);
        PerfLoop loop = new PerfLoop(load, q, q.allocate("data", 140 * 4096), RandomStream.named(7, "p"));
        loop.start();
        assertThat(s.sim().runUntil(loop::isDone, s.sim().now() + 60_000_000 * FabricRig.US))
                .as(s.controller().stage() + s.controller().failure())
                .isTrue();
        assertThat(loop.result().errors()).isEqualTo(140);
        assertThat(loop.result().latency().count()).as("in time").isPositive();
    }
}
