package dev.clockwire.bench.config;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads files with command lines and applies them to one simulated NIC, in order. */
public final class ConfigImport {
    private static final List<ConfigFormat> FORMATS =
            List.of(new SetpciFormat(), new MlxconfigFormat(), new EthtoolFormat(), new RoceModeFormat());

    private ConfigImport() {}

    /**
     * Reads and applies.
     *
     * @param profile hardware before the first line
     * @throws ConfigurationException if a file cannot be read or a line of a known program is wrong; it names file, line and column
     */
    public static ConfigReport of(List<Path> files, Profile profile) throws IOException {
        ConfigTarget target = new ConfigTarget(profile);
        List<ConfigReport.Unknown> unknown = new ArrayList<>();
        for (Path file : files) {
            int number = 0;
            for (String text : lines(file)) {
                ConfigLine line = ConfigLine.of(file.toString(), ++number, text);
                if (!line.words().isEmpty() && !applied(line, target)) {
                    unknown.add(new ConfigReport.Unknown(line.file(), line.number(), line.text()));
                }
            }
        }
        return new ConfigReport(target.recognised(), unknown, target.findings(), target.overrides());
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(file + ": not a text file in UTF-8");
        }
    }

    private static boolean applied(ConfigLine line, ConfigTarget target) {
        for (ConfigFormat format : FORMATS) {
            if (format.knows(line)) {
                target.begin(line, format.name());
                format.apply(line, target);
                return true;
            }
        }
        return false;
    }
}
