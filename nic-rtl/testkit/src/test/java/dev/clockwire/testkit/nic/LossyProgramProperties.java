package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.random.RandomStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Random programs on a line that loses packets of every kind: on a reliable connection nobody notices but the clock. */
class LossyProgramProperties {
    private static final long LIMIT_PS = 100_000_000_000_000L;

    @Property(tries = 40)
    void everyMessageLandsOnceHoweverManyPacketsAreLost(
            @ForAll("programs") ProgramSpec program,
            @ForAll("profiles") Profile profile,
            @ForAll @IntRange(min = 1, max = 60) int perMille) {
        VerbsRun run = new VerbsRun(profile, LabSpec.of(1), program);
        RandomStream random = RandomStream.named(program.seed(), "loss");
        int[] lost = new int[1];
        run.lab().tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket packet && random.below(1000) < perMille) {
                packet.icrcOk = false;
                lost[0]++;
            }
        });
        run.run(LIMIT_PS);
        assertThat(lost[0]).isNotNegative();
    }

    @Provide
    static Arbitrary<ProgramSpec> programs() {
        return Labs.programs().filter(program -> program.type() == QpType.RC);
    }

    @Provide
    static Arbitrary<Profile> profiles() {
        return Labs.profiles();
    }
}
