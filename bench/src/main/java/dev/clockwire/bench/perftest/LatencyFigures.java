package dev.clockwire.bench.perftest;

import dev.clockwire.sim.stats.Percentiles;
import java.util.Arrays;

/**
 * What a set of latencies amounts to, in microseconds. Percentiles are those of the nearest rank; the deviation is that of
 * the whole population.
 */
public record LatencyFigures(double min, double avg, double p50, double p99, double p999, double max, double stdev) {
    private static final double PS_PER_US = 1e6;

    /** Returns the figures of latencies given in units of so many picoseconds, or zeros if there are none. */
    public static LatencyFigures of(long[] latencies, double unitPs) {
        if (latencies.length == 0) {
            return new LatencyFigures(0, 0, 0, 0, 0, 0, 0);
        }
        long[] sorted = latencies.clone();
        Arrays.sort(sorted);
        double mean = 0;
        double squares = 0;
        for (int i = 0; i < sorted.length; i++) {
            double delta = sorted[i] - mean;
            mean += delta / (i + 1);
            squares += delta * (sorted[i] - mean);
        }
        return new LatencyFigures(
                us(sorted[0], unitPs),
                us(mean, unitPs),
                us(rank(sorted, 50), unitPs),
                us(rank(sorted, 99), unitPs),
                us(rank(sorted, 99.9), unitPs),
                us(sorted[sorted.length - 1], unitPs),
                us(Math.sqrt(squares / sorted.length), unitPs));
    }

    private static double us(long value, double unitPs) {
        return us((double) value, unitPs);
    }

    private static double us(double value, double unitPs) {
        // nothing is finer than half a picosecond
        return Math.round(value * unitPs * 10) / (10 * PS_PER_US);
    }

    private static long rank(long[] sorted, double percentile) {
        return Percentiles.of(sorted, sorted.length, percentile);
    }
}
