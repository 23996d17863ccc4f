package dev.clockwire.bench.cli;

import dev.clockwire.bench.profile.ProfileFile;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ITypeConverter;

/**
 * What {@code --profile} names: a built-in profile, or a file that lays values over one. Further on a file is that base with its values as overrides,
 * so that every artefact repeats them and none depends on the file.
 *
 * @param typed how it was named
 * @param profile the built-in one, or the file's
 */
record ChosenProfile(String typed, Profile profile) {
    /** The profile where nothing else is said. */
    static final ChosenProfile USUAL = new ChosenProfile(Profiles.DEFAULT, Profiles.named(Profiles.DEFAULT));

    /** Returns the name of the built-in profile. */
    String base() {
        return profile.name();
    }

    /** Returns what a file lays over it. */
    List<ProfileOverride> overrides() {
        return profile.replaced().stream()
                .map(path -> new ProfileOverride(path, profile.text(path), source(path)))
                .toList();
    }

    /** Names the file, but not where it lies: artefacts say nothing of the machine that they were made on. */
    private String source(String path) {
        String source = profile.setting(path).source();
        return source.startsWith(typed) ? source.substring(typed.lastIndexOf('/') + 1) : source;
    }

    /** Reads a name, or the path of a YAML file: one that ends with .yaml or .yml, or that has a slash. */
    static final class Converter implements ITypeConverter<ChosenProfile> {
        Converter() {}

        @Override
        public ChosenProfile convert(String text) throws IOException {
            boolean file = text.endsWith(".yaml") || text.endsWith(".yml") || text.contains("/");
            if (!file) {
                return new ChosenProfile(text, named(text));
            }
            Path path = Path.of(text);
            if (!Files.isRegularFile(path)) {
                throw CliException.input("--profile " + text + ": no such file");
            }
            return new ChosenProfile(text, ProfileFile.read(path));
        }

        private static Profile named(String name) {
            try {
                return Profiles.named(name);
            } catch (ConfigurationException e) {
                throw new ConfigurationException(e.getMessage() + "; the name of a file ends with .yaml");
            }
        }
    }
}
