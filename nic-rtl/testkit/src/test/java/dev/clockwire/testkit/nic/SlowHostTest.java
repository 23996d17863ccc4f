package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import org.junit.jupiter.api.Test;

/** Hosts that take data more slowly than the line brings them: nothing is lost, and nothing hangs. */
class SlowHostTest {
    private static final long LIMIT_PS = 200_000_000_000L;

    private static VerbsRun run(Profile profile, ProgramSpec program) {
        VerbsRun run = new VerbsRun(profile, LabSpec.of(1), program);
        run.run(LIMIT_PS);
        assertThat(run.lab().a().nic().receiver().overruns()).isZero();
        assertThat(run.lab().b().nic().receiver().overruns()).isZero();
        return run;
    }

    /** One posted packet at a time goes up to the root complex, while reads are as fast as ever. */
    @Test
    void aReceiverWithoutCreditsHoldsTheSender() {
        Profile slow = Profiles.named("cx7-400g").with("pcie.credits.posted_headers", "1");
        VerbsRun run = run(slow, ProgramSpec.of(1, QpType.UC).withSize(4, 20).withShape(Mtu.MTU_1024, 128, 70_000));
        assertThat(run.lab().b().nic().receiver().pauses()).isPositive();
    }

    @Test
    void responsesAreHeldLikeRequests() {
        Profile slow = Profiles.named("cx7-400g").with("pcie.credits.posted_headers", "1");
        run(
                slow,
                ProgramSpec.of(7, QpType.RC)
                        .withSize(4, 20)
                        .withShape(Mtu.MTU_256, 128, 70_000)
                        .with(true, false, false));
    }

    @Test
    void theNarrowestLinkCarriesTheFastestLine() {
        Profile slow = Profiles.named("cx7-400g")
                .with("pcie.generation", "1")
                .with("pcie.lanes", "1")
                .with("link.gbps", "1600");
        run(
                slow,
                ProgramSpec.of(3, QpType.RC)
                        .withSize(4, 10)
                        .withShape(Mtu.MTU_4096, 128, 70_000)
                        .with(true, true, false));
    }

    @Test
    void aClockOfOneMegahertzWorks() {
        Profile slow = Profiles.named("cx7-400g").with("nic.core_mhz", "1");
        run(
                slow,
                ProgramSpec.of(5, QpType.RC)
                        .withSize(2, 20)
                        .withShape(Mtu.MTU_4096, 64, 20_000)
                        .with(true, false, false));
    }
}
