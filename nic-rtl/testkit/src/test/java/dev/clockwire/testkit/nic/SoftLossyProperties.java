package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftCounter;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.random.RandomStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Random programs between software devices on a line that damages packets of every kind: a reliable connection only gets slower. */
class SoftLossyProperties {
    private static final long LIMIT_PS = 100_000_000_000_000L;

    @Property(tries = 60)
    void everyMessageLandsOnceHoweverManyPacketsAreLost(
            @ForAll("programs") ProgramSpec program,
            @ForAll @IntRange(min = 1, max = 60) int perMille,
            @ForAll boolean everyDuplicate,
            @ForAll @IntRange(max = 5) int ackInterval,
            @ForAll @IntRange(min = 1, max = 20) int ackEvery) {
        SoftSpec device = SoftSpec.usual()
                .withAckEveryDuplicate(everyDuplicate)
                .withAckInterval(ackInterval)
                .withAckEvery(ackEvery, 3_000_000);
        VerbsRun run = new VerbsRun(Profiles.named("cx7-400g"), LabSpec.of(1).withSoft(device), program);
        RandomStream random = RandomStream.named(program.seed(), "loss");
        int[] lost = new int[1];
        run.lab().tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket packet && random.below(1000) < perMille) {
                packet.icrcOk = false;
                lost[0]++;
            }
        });
        run.run(LIMIT_PS);
        long dropped = run.lab().a().soft().counter(SoftCounter.ICRC_ERROR)
                + run.lab().b().soft().counter(SoftCounter.ICRC_ERROR);
        assertThat(dropped).isEqualTo(lost[0]);
    }

    @Provide
    static Arbitrary<ProgramSpec> programs() {
        return Labs.programs().filter(program -> program.type() == QpType.RC);
    }
}
