package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Random programs with end-to-end credits on both devices: the same completions and memory, with losses and without. */
class CreditsProperties {
    private static final long LIMIT_PS = 100_000_000_000_000L;

    @Provide
    Arbitrary<ProgramSpec> programs() {
        return Labs.programs().filter(program -> program.type() == QpType.RC);
    }

    @Property(tries = 40)
    void creditsCostTimeOnly(
            @ForAll("programs") ProgramSpec program,
            @ForAll boolean soft,
            @ForAll @IntRange(min = 1, max = 4) int ackEvery,
            @ForAll @IntRange(max = 30) int lostPerMille) {
        Profile profile = Profiles.named("cx7-400g").with("nic.qp.credits", "true");
        FaultPlan losses =
                FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(lostPerMille / 1000.0)));
        SoftSpec device = SoftSpec.usual().withCredits(true).withAckEvery(ackEvery, 3_000_000);
        LabSpec spec = LabSpec.of(1).withSoft(soft ? device : null).withFaults(losses);
        VerbsRun run = new VerbsRun(profile, spec, program);
        int[] withoutInformation = new int[1];
        run.lab().tapFrames((ps, end, frame) -> {
            boolean says = frame instanceof RocePacket p
                    && p.opcode == Opcode.RC_ACKNOWLEDGE.code()
                    && p.syndrome == Syndrome.ACK;
            withoutInformation[0] += says ? 1 : 0;
        });
        run.run(LIMIT_PS);
        if (!program.has(ProgramSpec.SHARED)) { // the receives of a shared queue are nobody's
            assertThat(withoutInformation[0]).isZero();
        }
    }
}
