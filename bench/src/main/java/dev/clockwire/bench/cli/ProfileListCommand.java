package dev.clockwire.bench.cli;

import dev.clockwire.bench.text.TextTable;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code profile list}: the names that {@code --profile} takes. */
@Command(name = "list", description = "List the built-in profiles.")
final class ProfileListCommand extends ClockwireTask {
    @Mixin
    private JsonOption json = new JsonOption();

    ProfileListCommand(Console console) {
        super(console);
    }

    /** One line of the list. */
    record Entry(String name, String title) {}

    @Override
    public Integer call() {
        if (json.wanted()) {
            var entries = Profiles.all().stream()
                    .map(p -> new Entry(p.name(), p.title()))
                    .toList();
            console().json(new JsonDocument("profile-list").with("profiles", entries));
            return ExitCode.OK;
        }
        TextTable table = new TextTable("profile", "hardware");
        for (Profile p : Profiles.all()) {
            table.row(p.name(), p.title() + (p.name().equals(Profiles.DEFAULT) ? " (default)" : ""));
        }
        table.lines().forEach(console()::line);
        return ExitCode.OK;
    }
}
