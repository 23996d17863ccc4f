package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.random.RandomStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Random programs keep the rules: nothing is found. And to be watched changes nothing. */
class SanitizerProperties {
    private static final long LIMIT_PS = 100_000_000_000_000L;

    private static LabSpec spec(boolean soft) {
        return LabSpec.of(1).withSoft(soft ? SoftSpec.usual() : null);
    }

    @Property(tries = 12)
    void programsThatKeepTheRulesAreNotFound(
            @ForAll("programs") ProgramSpec program, @ForAll("profiles") Profile profile, @ForAll boolean soft) {
        VerbsRun run = new VerbsRun(profile, spec(soft).withSanitizer(true), program);
        VerbsRun.Outcome watched = run.run(LIMIT_PS);
        assertThat(run.lab().sanitizer().findings()).isEmpty();
        assertThat(new VerbsRun(profile, spec(soft), program).run(LIMIT_PS)).isEqualTo(watched);
    }

    @Property(tries = 8)
    void norAreTheyWhenPacketsAreLost(
            @ForAll("programs") ProgramSpec program,
            @ForAll("profiles") Profile profile,
            @ForAll boolean soft,
            @ForAll @IntRange(min = 1, max = 60) int perMille) {
        VerbsRun run = new VerbsRun(profile, spec(soft).withSanitizer(true), program);
        RandomStream random = RandomStream.named(program.seed(), "loss");
        run.lab().tapFrames((ps, end, frame) -> {
            boolean reliable = program.type() == QpType.RC;
            if (reliable && frame instanceof RocePacket packet && random.below(1000) < perMille) {
                packet.icrcOk = false;
            }
        });
        run.run(LIMIT_PS);
        assertThat(run.lab().sanitizer().findings()).isEmpty();
    }

    @Provide
    static Arbitrary<ProgramSpec> programs() {
        return Labs.programs();
    }

    @Provide
    static Arbitrary<Profile> profiles() {
        return Labs.profiles();
    }
}
