package dev.clockwire.bench.cli;

import dev.clockwire.bench.profile.ProfileDifference;
import dev.clockwire.bench.text.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code profile diff A B}: the parameters in which two profiles differ. */
@Command(name = "diff", description = "Compare two profiles.")
final class ProfileDiffCommand extends ClockwireTask {
    @Parameters(
            index = "0",
            paramLabel = "A",
            converter = ChosenProfile.Converter.class,
            description = "A name of 'profile list', or a file.")
    private ChosenProfile first = ChosenProfile.USUAL;

    @Parameters(index = "1", paramLabel = "B", converter = ChosenProfile.Converter.class, description = "Another one.")
    private ChosenProfile second = ChosenProfile.USUAL;

    @Mixin
    private JsonOption json = new JsonOption();

    ProfileDiffCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        ProfileDifference difference =
                ProfileDifference.of(first.profile(), second.profile()).called(first.typed(), second.typed());
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
