package dev.clockwire.bench.cli;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/**
 * Reads an enum as people type it: lower case, with dashes.
 *
 * @param <E> the enum
 */
public abstract class EnumConverter<E extends Enum<E>> implements ITypeConverter<E> {
    private final String kind;
    private final List<E> values;

    /**
     * Creates a converter.
     *
     * @param kind what a value is called in an error, for example {@code loop}
     * @param values the values that a user may name
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    protected EnumConverter(String kind, E... values) {
        this.kind = kind;
        this.values = List.of(values);
    }

    @Override
    public final E convert(String text) {
        for (E value : values) {
            if (name(value).equals(text)) {
                return value;
            }
        }
        throw CliException.unknown(
                kind, text, values.stream().map(EnumConverter::name).toList());
    }

    /** Returns a value as a user types it. */
    public static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
