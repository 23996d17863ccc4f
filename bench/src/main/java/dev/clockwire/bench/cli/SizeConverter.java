package dev.clockwire.bench.cli;

import picocli.CommandLine.ITypeConverter;

/** Reads a number of bytes as {@link Capacity} has them; whether it is in the range of its option is for the command to say. */
public final class SizeConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException hasUnit) {
            return (int) Capacity.parse("size", text, 0, Integer.MAX_VALUE);
        }
    }
}
