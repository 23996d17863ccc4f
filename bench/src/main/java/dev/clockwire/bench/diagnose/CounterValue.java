package dev.clockwire.bench.diagnose;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number as tools print it.
 *
 * @param value what it is, null if it is none
 * @param odd why a number that stands there means nothing, empty if it means something
 */
record CounterValue(@Nullable Long value, String odd) {
    private static final Pattern NUMBER =
            Pattern.compile("(-?(?:\\d{1,3}(?:,\\d{3})++|\\d{1,40}+))(?: ?(?:kB|B|us|%))?");
    private static final BigInteger NO_VALUE = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final CounterValue NONE = new CounterValue(null, "");

    /** Reads a value: digits, with commas between thousands, with a unit behind them or not. */
    static CounterValue of(String text) {
        Matcher m = NUMBER.matcher(text);
        if (!m.matches()) {
            return NONE;
        }
        BigInteger n = new BigInteger(m.group(1).replace(",", ""));
        if (n.equals(NO_VALUE)) {
            return new CounterValue(null, "2^64-1 stands for no value");
        }
        if (n.abs().compareTo(MOST) > 0) {
            return new CounterValue(null, "no counter has more than 64 bits");
        }
        return new CounterValue(n.longValueExact(), "");
    }
}
