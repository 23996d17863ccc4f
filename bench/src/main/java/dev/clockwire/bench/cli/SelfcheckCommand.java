package dev.clockwire.bench.cli;

import dev.clockwire.bench.perftest.Selfcheck;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.RunPart;
import java.util.EnumSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code selfcheck}: is this build deterministic on this machine? */
@Command(
        name = "selfcheck",
        description =
                "Run a set of tests twice, in both kernel modes and both payload modes; compare their full traces.")
final class SelfcheckCommand extends ClockwireTask {
    @Mixin
    private RunOptions run = new RunOptions();

    SelfcheckCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        if (run.isFileAsked()) {
            throw CliException.usage("selfcheck leaves no files: --out and --waves have no meaning here");
        }
        Profile profile = ProfileChoice.of(run);
        run.complain(console(), new Idle(), profile, EnumSet.allOf(RunPart.class));
        Selfcheck.Report report = Selfcheck.run(profile, run.seed());
        if (run.json()) {
            console()
                    .json(new JsonDocument("selfcheck")
                            .with("profile", run.profile())
                            .with("seed", run.seed())
                            .withAll(report));
        } else {
            report.checks().forEach(c -> console().line((c.ok() ? "ok   " : "FAIL ") + c.name() + ": " + c.detail()));
            console().line(report.ok() ? "all traces agree" : "traces differ");
        }
        return report.ok() ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }
}
