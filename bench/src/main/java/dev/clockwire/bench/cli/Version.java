package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.Provenance;
import dev.clockwire.nic.profile.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
public final class Version implements IVersionProvider {
    /** Creates the provider that picocli asks. */
    public Version() {}

    /** Returns the version as in the pom, for example {@code 0.1.0}. */
    public static String text() {
        return property("version");
    }

    /** Returns the commit that this was built from, with {@code -dirty} if more than that was; empty if the build did not know it. */
    static String git() {
        String commit = property("git");
        return commit.startsWith("$") ? "" : commit;
    }

    /** Returns where the files of a run of this build come from. */
    static Provenance provenance(String command, Profile hardware, long seed) {
        return new Provenance(text(), git(), command, hardware.name(), hardware, seed);
    }

    private static String property(String name) {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty(name, "");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"clockwire " + text()};
    }
}
