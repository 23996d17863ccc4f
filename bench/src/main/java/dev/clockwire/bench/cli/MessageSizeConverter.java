package dev.clockwire.bench.cli;

import picocli.CommandLine.ITypeConverter;

/** Reads the size of a message as perftest's {@code -s} takes it, {@code 65536} or {@code 64K}; the range is for the command to check. */
public final class MessageSizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException hasUnit) {
            return Capacity.parse("-s", text, 0, PerftestResolver.LARGEST_MESSAGE);
        }
    }
}
