package dev.clockwire.sim.stats;

import dev.clockwire.sim.error.ConfigurationException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The nearest-rank definition: the p-th percentile of n values is the one of rank ceil(p/100 x n), at least the first. */
public final class Percentiles {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private Percentiles() {}

    /**
     * Returns the rank, 1 to {@code count}, of a percentile.
     *
     * @param percentile 0 to 100; taken as the decimal number it prints as, so 99.9 of 1000 is rank 999 and not 1000
     * @param count number of values, at least 1
     */
    public static long rank(double percentile, long count) {
        if (!(percentile >= 0 && percentile <= 100)) {
            throw new ConfigurationException("percentile " + percentile + ": must be from 0 to 100");
        }
        if (count < 1) {
            throw new ConfigurationException("percentile " + percentile + " of no values");
        }
        BigDecimal rank = BigDecimal.valueOf(percentile)
                .multiply(BigDecimal.valueOf(count))
                .divide(HUNDRED);
        return Math.max(1, rank.setScale(0, RoundingMode.CEILING).longValueExact());
    }

    /** Returns a percentile of the first {@code count} values, which are sorted ascending. */
    public static long of(long[] sorted, int count, double percentile) {
        return sorted[(int) rank(percentile, count) - 1];
    }
}
