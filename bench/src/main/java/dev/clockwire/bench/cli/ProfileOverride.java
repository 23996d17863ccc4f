package dev.clockwire.bench.cli;

import picocli.CommandLine.ITypeConverter;

/**
 * One {@code -P path=value}. Whether the path exists and the value fits is for the profile to say.
 *
 * @param path dotted path into the profile, for example {@code pcie.lanes}
 * @param value the new value as typed
 */
public record ProfileOverride(String path, String value) {
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
