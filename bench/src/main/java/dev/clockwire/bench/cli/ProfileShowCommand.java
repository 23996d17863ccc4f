package dev.clockwire.bench.cli;

import dev.clockwire.bench.profile.ProfileReport;
import dev.clockwire.bench.text.TextTable;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code profile show NAME}: every parameter with its unit and where it comes from. */
@Command(name = "show", description = "Show every parameter of a profile with unit, source and confidence.")
final class ProfileShowCommand extends ClockwireTask {
    @Parameters(
            paramLabel = "NAME|FILE.yaml",
            converter = ChosenProfile.Converter.class,
            description = "A name of 'profile list', or a file that lays values over one.")
    private ChosenProfile profile = ChosenProfile.USUAL;

    @Option(
            names = "-P",
            paramLabel = "PATH=VALUE",
            converter = ProfileOverride.Converter.class,
            description = "Replace one value; may be repeated.")
    private List<ProfileOverride> overrides = List.of();

    @Mixin
    private JsonOption json = new JsonOption();

    ProfileShowCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        ProfileReport report = ProfileReport.of(ProfileChoice.of(profile.profile(), overrides));
        if (json.wanted()) {
            console().json(new JsonDocument("profile").withAll(report));
            return ExitCode.OK;
        }
        console().line(report.name() + ": " + report.title());
        TextTable table = new TextTable("path", "value", "unit", "c", "meaning", "source");
        for (ProfileReport.Value v : report.values()) {
            table.row(v.path(), v.value().toString(), v.unit(), v.confidence(), v.meaning(), v.source());
        }
        table.lines().forEach(console()::line);
        console().line("c = confidence: A published or specified, B derived from such, C assumed");
        return ExitCode.OK;
    }
}
