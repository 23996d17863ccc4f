package dev.clockwire.bench.cli;

/** Checks option values. */
public final class Range {
    private Range() {}

    /**
     * Returns the value if it lies in the range.
     *
     * @param option as the user typed it, for example {@code -s}
     * @param unit of the value, may be empty
     * @throws CliException with exit code 2 that names the value and the range
     */
    public static long check(String option, long value, long min, long max, String unit) {
        if (value < min || value > max) {
            String suffix = unit.isEmpty() ? "" : " " + unit;
            throw CliException.usage(option + " " + value + " is outside its range " + min + " to " + max + suffix);
        }
        return value;
    }
}
