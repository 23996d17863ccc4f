package dev.clockwire.bench.cli;

import dev.clockwire.bench.config.ConfigImport;
import dev.clockwire.bench.config.ConfigReport;
import dev.clockwire.bench.config.model.Finding;
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
                    "Apply what lines of mlxconfig, setpci, ethtool, mlnx_qos and other tools of a host say to the"
                            + " profile, before -P; may be repeated.")
    private List<Path> files = List.of();

    private @Nullable ConfigReport report;

    /** Returns what the lines change in a profile with what was typed, which wins; a line that stops the device is refused with exit code 3. */
    List<ProfileOverride> overrides(String profile, List<ProfileOverride> typed) {
        return report(profile, typed).overrides().stream()
                .map(o -> new ProfileOverride(o.path(), o.value(), "--config"))
                .toList();
    }

    /** Says which lines are not known, and which do something else than they look like. */
    void complain(Console console, String profile, List<ProfileOverride> typed) {
        report(profile, typed)
                .unknown()
                .forEach(u -> console.note(u.file() + ":" + u.line() + ": not known: " + u.text()));
        report(profile, typed)
                .findings()
                .forEach(f -> console.note(f.where() + ": " + f.severity() + " [" + f.rule() + "]: " + f.message()));
    }

    private ConfigReport report(String profile, List<ProfileOverride> typed) {
        ConfigReport known = report;
        if (known == null) {
            known = read(profile, typed);
            report = known;
        }
        return known;
    }

    private ConfigReport read(String profile, List<ProfileOverride> typed) {
        if (files.isEmpty()) {
            return ConfigReport.nothing();
        }
        ConfigReport read;
        try {
            read = ConfigImport.of(files, ProfileChoice.of(profile, typed));
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
