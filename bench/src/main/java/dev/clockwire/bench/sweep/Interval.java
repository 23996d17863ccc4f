package dev.clockwire.bench.sweep;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The mean of repetitions and where the true one lies with 95 % confidence, by Student's t: independent values whose mean is about normal.
 *
 * @param n how many values
 * @param mean of them
 * @param half half the width of the interval; NaN for a single value
 */
record Interval(int n, double mean, double half) {
    private static final double UPPER = 0.975;

    /** Returns the interval of at least one value. */
    static Interval of(List<Double> values) {
        int n = values.size();
        double first = values.get(0); // differences to it: equal values have exactly their mean, and no width
        double mean = first + values.stream().mapToDouble(v -> v - first).sum() / n;
        if (n < 2) {
            return new Interval(n, mean, Double.NaN);
        }
        double squares =
                values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
        double t = TDistribution.of(n - 1).inverseCumulativeProbability(UPPER);
        return new Interval(n, mean, t * StrictMath.sqrt(squares / (n - 1) / n));
    }
}
