package dev.clockwire.bench.cli;

import dev.clockwire.bench.profile.ProfileSchema;
import picocli.CommandLine.Command;

/** {@code profile schema}: what a profile file may hold, for editors. */
@Command(
        name = "schema",
        description = "Print the JSON schema of profile files: editors complete and check keys and values with it.")
final class ProfileSchemaCommand extends ClockwireTask {
    ProfileSchemaCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        console().line(ProfileSchema.of().toPrettyString());
        return ExitCode.OK;
    }
}
