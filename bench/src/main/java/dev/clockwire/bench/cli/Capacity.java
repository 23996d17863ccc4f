package dev.clockwire.bench.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as SPDK's and fio's options take them: {@code 4096}, {@code 4k}, {@code 128KiB}; k, m and g are powers of 1024. */
final class Capacity {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})(?:([kmg])(?:i?b)?)?");

    private Capacity() {}

    /**
     * Reads a number.
     *
     * @throws CliException with exit code 2 that names the option and its range
     */
    static long parse(String option, String text, long min, long max) {
        Matcher m = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (text.strip().matches("-\\d{1,18}")) {
            throw Range.outside(option, text, min, max, "");
        }
        if (!m.matches()) {
            throw CliException.usage(option + " " + text + ": expected a whole number such as 4096 or 4k");
        }
        long value = Long.parseLong(m.group(1));
        int shift = m.group(2) == null ? 0 : 10 * ("kmg".indexOf(m.group(2)) + 1);
        if (value > max >> shift || value << shift < min) {
            throw Range.outside(option, text, min, max, "");
        }
        return value << shift;
    }
}
