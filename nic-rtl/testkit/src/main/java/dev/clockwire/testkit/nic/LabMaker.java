package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.StarLab;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.testkit.Artefact;
import dev.clockwire.testkit.SimRun;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes the labs of a {@code @SimTest} from its seed and kernel, as its {@link LabSetup} says, and has them watched. */
public final class LabMaker {
    private final SimRun run;
    private final @Nullable LabSetup setup;
    private int labs;

    LabMaker(SimRun run) {
        this.run = run;
        setup = run.annotation(LabSetup.class).orElse(null);
    }

    /** Returns the hardware. */
    public Profile profile() {
        LabSetup s = setup;
        if (s == null) {
            return Profiles.named(Profiles.DEFAULT);
        }
        Profile profile = Profiles.named(s.profile());
        for (String change : s.set()) {
            int at = change.indexOf('=');
            if (at < 0) {
                throw new ConfigurationException("@LabSetup(set = \"" + change + "\"): must be path=value");
            }
            profile = profile.with(change.substring(0, at), change.substring(at + 1));
        }
        return profile;
    }

    private LabSpec spec() {
        LabSpec spec = new LabSpec(run.spec(), PayloadMode.BYTES, 0);
        LabSetup s = setup;
        return s == null
                ? spec
                : spec.withJourneys(s.journeys())
                        .withSanitizer(s.sanitizer())
                        .withSoft(s.software() ? SoftSpec.usual() : null);
    }

    /** Returns two hosts. */
    public Lab twoHosts() {
        return twoHosts(spec -> spec);
    }

    /** Returns two hosts with something changed: {@code labs.twoHosts(spec -> spec.withFaults(plan))}. */
    public Lab twoHosts(UnaryOperator<LabSpec> change) {
        return twoHosts(profile(), change);
    }

    /** Returns two hosts of other hardware. */
    public Lab twoHosts(Profile profile, UnaryOperator<LabSpec> change) {
        Lab lab = Lab.twoHosts(profile, change.apply(spec()));
        watch(lab.sim(), FrameLog.of(lab));
        return lab;
    }

    private void watch(Sim sim, FrameLog frames) {
        run.watch(sim);
        String suffix = labs++ == 0 ? "" : "-" + labs;
        run.shows("packets on the line", frames::events);
        run.keeps(Artefact.CAPTURE, "capture" + suffix + ".pcapng", file -> frames.write(file, run.command()));
    }

    /** Returns hosts around a switch; the profile needs one. */
    public StarLab star(int hosts, UnaryOperator<LabSpec> change) {
        StarLab lab = StarLab.of(profile(), change.apply(spec()), hosts);
        watch(lab.sim(), FrameLog.of(lab));
        return lab;
    }

    /** Returns two connected queue pairs on two hosts with something changed. */
    public Pair pair(UnaryOperator<LabSpec> change) {
        return pair(twoHosts(change));
    }

    Pair pair(Lab lab) {
        LabSetup s = setup;
        QpType type = s == null ? QpType.RC : s.service();
        return new Pair(lab, type, s == null ? Mtu.MTU_1024 : s.mtu(), Allocation.Kind.REAL);
    }
}
