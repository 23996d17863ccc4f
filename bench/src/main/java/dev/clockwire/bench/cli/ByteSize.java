package dev.clockwire.bench.cli;

import picocli.CommandLine.ITypeConverter;

/**
 * A number of bytes with the text that somebody typed for it, so that a mistake is shown as it was made.
 *
 * @param bytes the number; its range is for the command to check
 * @param typed {@code 4096}, {@code 4k}, as {@link Capacity} has them
 */
public record ByteSize(long bytes, String typed) {
    /** Returns a number that nobody has typed. */
    static ByteSize of(long bytes) {
        return new ByteSize(bytes, Long.toString(bytes));
    }

    /**
     * Returns the number if it lies in a range.
     *
     * @throws CliException with exit code 2 that names what was typed and the range
     */
    long in(String option, long min, long max, String unit) {
        if (bytes < min || bytes > max) {
            throw Range.outside(option, typed, min, max, unit);
        }
        return bytes;
    }

    private static ByteSize read(String option, String text, long max) {
        try {
            return new ByteSize(Long.parseLong(text), text);
        } catch (NumberFormatException hasUnit) {
            return new ByteSize(Capacity.parse(option, text, 0, max), text);
        }
    }

    /** Reads the size of a value or a file. */
    public static final class Converter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            return read("size", text, Long.MAX_VALUE);
        }
    }

    /** Reads the size of a message as perftest's {@code -s} takes it, {@code 65536} or {@code 64K}. */
    public static final class MessageConverter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            return read("-s", text, PerftestResolver.LARGEST_MESSAGE);
        }
    }
}
