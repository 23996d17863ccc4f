package dev.clockwire.bench.text;

import java.util.regex.Pattern;

/** Decimal numbers as people write them. Java's own reader takes {@code 1d}, {@code 0x1p3}, {@code NaN} and {@code 1e999} too. */
public final class Decimal {
    private static final Pattern FORM = Pattern.compile("[+-]?+(\\d++\\.?+\\d*+|\\.\\d++)([eE][+-]?+\\d++)?+");

    private Decimal() {}

    /**
     * Reads a number, which may have blanks around it.
     *
     * @throws NumberFormatException if it is none, or greater than any
     */
    public static double of(String text) {
        String plain = text.strip();
        double value = FORM.matcher(plain).matches() ? Double.parseDouble(plain) : Double.NaN;
        if (!Double.isFinite(value)) {
            throw new NumberFormatException(text);
        }
        return value;
    }
}
