package dev.clockwire.bench.cli;

import dev.clockwire.bench.config.ConfigImport;
import dev.clockwire.bench.config.ConfigReport;
import dev.clockwire.bench.config.model.Finding;
import dev.clockwire.nic.profile.Profiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Runs on a NIC that files with command lines of the real tools have set up. */
final class ImportedConfig {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Apply lines of mlxconfig, setpci, ethtool and cma_roce_mode to the profile, before -P; may be"
                            + " repeated.")
    private List<Path> files = List.of();

    private @Nullable ConfigReport report;

    /** Returns what the lines change in a profile; a line that stops the device is refused with exit code 3. */
    List<ProfileOverride> overrides(String profile) {
        return report(profile).overrides().stream()
                .map(o -> new ProfileOverride(o.path(), o.value()))
                .toList();
    }

    /** Says which lines do something else than they look like. */
    void complain(Console console, String profile) {
        report(profile)
                .findings()
                .forEach(f -> console.note(f.where() + ": " + f.severity() + " [" + f.rule() + "]: " + f.message()));
    }

    private ConfigReport report(String profile) {
        ConfigReport known = report;
        if (known == null) {
            known = read(profile);
            report = known;
        }
        return known;
    }

    private ConfigReport read(String profile) {
        if (files.isEmpty()) {
            return ConfigReport.nothing();
        }
        ConfigReport read;
        try {
            read = ConfigImport.of(files, Profiles.named(profile));
        } catch (IOException e) {
            throw CliException.input("cannot read " + e.getMessage());
        }
        for (Finding f : read.findings()) {
            if (f.rule().equals("setpci-stops-device")) {
                throw CliException.input(f.where() + ": nothing can run: " + f.message() + "; " + f.cure());
            }
        }
        return read;
    }
}
