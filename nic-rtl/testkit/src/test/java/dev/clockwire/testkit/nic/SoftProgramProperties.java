package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.KernelMode;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random programs on software devices: everything arrives once, in order and unchanged, in every kernel mode. */
class SoftProgramProperties {
    private static final long SECOND = 1_000_000_000_000L;

    @Provide
    Arbitrary<ProgramSpec> programs() {
        return Labs.programs();
    }

    private static LabSpec soft(long seed) {
        return LabSpec.of(seed).withSoft(SoftSpec.usual());
    }

    @Property(tries = 60)
    void programsDoWhatTheySay(@ForAll("programs") ProgramSpec program) {
        var profile = Profiles.named("cx7-400g");
        new VerbsRun(profile, soft(program.seed()), program).run(SECOND);
    }

    @Property(tries = 15)
    void everyKernelModeGivesTheSameTrace(@ForAll("programs") ProgramSpec program) {
        var profile = Profiles.named("cx7-400g");
        var quick = new VerbsRun(profile, soft(program.seed()), program).run(SECOND);
        var slow = new VerbsRun(profile, soft(program.seed()).withMode(KernelMode.EXHAUSTIVE), program).run(SECOND);
        assertThat(slow).isEqualTo(quick);
    }
}
