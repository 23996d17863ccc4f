package dev.clockwire.bench.cli;

import dev.clockwire.bench.profile.ProfileDifference;
import dev.clockwire.bench.text.TextTable;
import dev.clockwire.nic.profile.Profiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code profile diff A B}: the parameters in which two profiles differ. */
@Command(name = "diff", description = "Compare two profiles.")
final class ProfileDiffCommand extends ClockwireTask {
    @Parameters(index = "0", paramLabel = "A", description = "A name of 'profile list'.")
    private String first = "";

    @Parameters(index = "1", paramLabel = "B", description = "Another one.")
    private String second = "";

    @Mixin
    private JsonOption json = new JsonOption();

    ProfileDiffCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        ProfileDifference difference = ProfileDifference.of(Profiles.named(first), Profiles.named(second));
        if (json.wanted()) {
            console().json(new JsonDocument("profile-diff").withAll(difference));
            return ExitCode.OK;
        }
        TextTable table = new TextTable("path", "unit", difference.a(), difference.b());
        for (ProfileDifference.Row row : difference.differences()) {
            table.row(row.path(), row.unit(), row.a().toString(), row.b().toString());
        }
        table.lines().forEach(console()::line);
        return ExitCode.OK;
    }
}
