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
            throw outside(option, Long.toString(value), min, max, unit);
        }
        return value;
    }

    /** Returns the error of a value that is outside its range, as the user typed it. */
    static CliException outside(String option, String typed, long min, long max, String unit) {
        String suffix = unit.isEmpty() ? "" : " " + unit;
        return CliException.usage(option + " " + typed + " is outside its range " + min + " to " + max + suffix);
    }
}
