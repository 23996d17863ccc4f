package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class VerbsProgramProperties {
    private static final long LIMIT_PS = 20_000_000_000L;

    @Property(tries = 60)
    void everyMessageLandsOnce(@ForAll("programs") ProgramSpec program, @ForAll("profiles") Profile profile) {
        new VerbsRun(profile, LabSpec.of(1), program).run(LIMIT_PS);
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
