package dev.clockwire.bench.cli;

import dev.clockwire.nic.profile.Profile;
import picocli.CommandLine.ITypeConverter;

/**
 * One {@code -P path=value}. Whether the path exists and the value fits is for the profile to say.
 *
 * @param path dotted path into the profile, for example {@code pcie.lanes}
 * @param value the new value as typed
 * @param source where it comes from
 */
public record ProfileOverride(String path, String value, String source) {
    private static final String TYPED = "override";
    private static final char CONFIDENCE = 'C';

    /** Creates one that was typed. */
    public ProfileOverride(String path, String value) {
        this(path, value, TYPED);
    }

    /** Returns a profile with this laid over it. */
    Profile on(Profile profile) {
        return profile.with(path, value, source, CONFIDENCE);
    }

    /** Reads an override from the command line. */
    static final class Converter implements ITypeConverter<ProfileOverride> {
        Converter() {}

        @Override
        public ProfileOverride convert(String text) {
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw CliException.usage("-P " + text + ": expected PATH=VALUE, for example pcie.lanes=8");
            }
            return new ProfileOverride(text.substring(0, equals), text.substring(equals + 1));
        }
    }
}
