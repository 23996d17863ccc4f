package dev.clockwire.bench.cli;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people type them: {@code 12.5us}, {@code 300ns}, {@code 2s}; a bare number is in nanoseconds. */
public final class TimeText {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(ps|ns|us|ms|s)?");

    private TimeText() {}

    /**
     * Returns the time in picoseconds.
     *
     * @throws CliException with exit code 2 if the text is no time, is finer than a picosecond or too long for the kernel
     */
    public static long toPs(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw CliException.usage("'" + text + "' is not a time such as 12.5us, 300ns or 2s");
        }
        String unit = form.group(2) == null ? "ns" : form.group(2);
        try {
            return new BigDecimal(form.group(1)).scaleByPowerOfTen(places(unit)).longValueExact();
        } catch (ArithmeticException e) {
            throw CliException.usage("'" + text + "' is outside the range 0 to 9223372 s in steps of 1 ps");
        }
    }

    /** Returns the same of the value of an option, which a mistake names. */
    public static long toPs(String option, String text) {
        try {
            return toPs(text);
        } catch (CliException e) {
            throw CliException.usage(option + ": " + e.getMessage());
        }
    }

    private static int places(String unit) {
        return switch (unit) {
            case "ps" -> 0;
            case "ns" -> 3;
            case "us" -> 6;
            case "ms" -> 9;
            default -> 12;
        };
    }
}
