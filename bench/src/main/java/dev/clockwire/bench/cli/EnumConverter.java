package dev.clockwire.bench.cli;

import dev.clockwire.sim.error.Nearest;
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

    /** Returns a name as this program has it, for converters that know others. */
    protected String plain(String text) {
        return text;
    }

    @Override
    public final E convert(String text) {
        String plain = plain(text);
        for (E value : values) {
            if (name(value).equals(plain)) {
                return value;
            }
        }
        List<String> names = values.stream().map(EnumConverter::name).toList();
        List<String> with = names.stream()
                .filter(n -> List.of(n.split("-")).contains(plain)) // a part of a name, such as tcp
                .toList();
        String hint = with.size() == 1 ? "; did you mean " + with.get(0) + "?" : Nearest.hint(plain, names);
        throw CliException.usage("unknown " + kind + " '" + text + "'" + hint);
    }

    /** Returns a value as a user types it. */
    public static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
