package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.testkit.Modes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a lab is simulated changes nothing: not a trace, not a time, not a completion. */
class LabLawsTest {
    private static final long LIMIT_PS = 5_000_000_000L;

    static List<ProgramSpec> programs() {
        return List.of(
                ProgramSpec.of(1, QpType.RC).withSize(1, 10),
                ProgramSpec.of(2, QpType.RC).withSize(3, 8).with(true, false, false),
                ProgramSpec.of(3, QpType.RC).withSize(2, 8).with(true, true, true),
                ProgramSpec.of(4, QpType.UC).withSize(2, 8).with(true, true, false),
                ProgramSpec.of(5, QpType.UD).withSize(2, 10).with(true, false, false),
                ProgramSpec.of(6, QpType.RC).withSize(1, 4).withShape(Mtu.MTU_4096, 4, 70_000),
                ProgramSpec.of(7, QpType.RC).withSize(3, 8).with(true, true, false),
                ProgramSpec.of(8, QpType.RC).withSize(3, 8).with(true, true, true));
    }

    private static Profile hardware(ProgramSpec program) {
        return switch ((int) program.seed()) {
            case 2 -> Profiles.named("cx6-200g");
            case 3 ->
                Profiles.named("cx7-400g").with("nic.blueflame", "false").with("nic.doorbell.carries_pi", "false");
            case 6 -> Profiles.named("article-1");
            case 7 -> BusyHost.of(Profiles.named("cx7-400g"));
            case 8 ->
                BusyHost.of(Profiles.named("cx7-400g"))
                        .with("pcie.switch", "gen5")
                        .with("pcie.ats", "true")
                        .with("pcie.atc_entries", "8");
            default -> Profiles.named("cx7-400g");
        };
    }

    @ParameterizedTest
    @MethodSource("programs")
    void theModeOfTheKernelIsInvisible(ProgramSpec program) {
        VerbsRun.Outcome expected = null;
        for (Map.Entry<String, SimSpec> mode : Modes.all(program.seed()).entrySet()) {
            LabSpec lab = LabSpec.of(1).withKernel(mode.getValue());
            VerbsRun.Outcome found = new VerbsRun(hardware(program), lab, program).run(LIMIT_PS);
            expected = expected == null ? found : expected;
            assertThat(found).as(mode.getKey()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void payloadWithoutBytesTakesTheSameTime(ProgramSpec program) {
        ProgramSpec bulk = program.withKind(Allocation.Kind.BULK);
        LabSpec bytes = LabSpec.of(1).withFullHash(true);
        VerbsRun.Outcome expected = new VerbsRun(hardware(program), bytes, bulk).run(LIMIT_PS);
        VerbsRun.Outcome found =
                new VerbsRun(hardware(program), bytes.withPayload(PayloadMode.SIZES), bulk).run(LIMIT_PS);
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void followingOperationsChangesNothing(ProgramSpec program) {
        LabSpec lab = LabSpec.of(1).withFullHash(true);
        VerbsRun.Outcome expected = new VerbsRun(hardware(program), lab, program).run(LIMIT_PS);
        assertThat(new VerbsRun(hardware(program), lab.withJourneys(1 << 16), program).run(LIMIT_PS))
                .isEqualTo(expected);
        assertThat(new VerbsRun(hardware(program), lab, program).run(LIMIT_PS)).isEqualTo(expected);
    }
}
