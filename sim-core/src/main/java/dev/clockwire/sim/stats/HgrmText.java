package dev.clockwire.sim.stats;

import java.util.Locale;

/**
 * The percentile distribution in the text format that HdrHistogram prints and its plotters read ({@code .hgrm}): a line for
 * each step of the percentile axis, which gets finer towards 100 by half-distances.
 */
public final class HgrmText {
    private static final int TICKS = 5;

    private HgrmText() {}

    /**
     * Returns the text.
     *
     * @param divisor recorded values are divided by it, such as 1000 to print ns of recorded ps
     */
    public static String of(Histogram h, double divisor) {
        StringBuilder out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)"));
        double level = 0;
        long seen = 0;
        for (int i = 0; i < h.buckets() && seen < h.count(); i++) {
            seen += h.bucketCount(i);
            double value = Math.min(h.max(), h.bucketEnd(i)) / divisor;
            while (h.bucketCount(i) > 0 && 100.0 * seen / h.count() >= level && level < 100) {
                line(out, value, level, seen);
                level = next(level);
                if (seen == h.count()) {
                    line(out, value, 100, seen);
                    level = 100;
                }
            }
        }
        out.append(String.format(
                Locale.ROOT,
                "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n",
                h.mean() / divisor,
                h.stdev() / divisor));
        out.append(String.format(
                Locale.ROOT, "#[Max     = %12.3f, Total count    = %12d]\n", h.max() / divisor, h.count()));
        out.append(String.format(
                Locale.ROOT, "#[Buckets = %12d, SubBuckets     = %12d]\n", h.buckets() >> h.bits(), 2 << h.bits()));
        return out.toString();
    }

    private static void line(StringBuilder out, double value, double level, long seen) {
        if (level < 100) {
            out.append(String.format(
                    Locale.ROOT, "%12.3f %2.12f %10d %14.2f\n", value, level / 100, seen, 1 / (1 - level / 100)));
        } else {
            out.append(String.format(Locale.ROOT, "%12.3f %2.12f %10d\n", value, level / 100, seen));
        }
    }

    private static double next(double level) {
        long halvings = (long) (StrictMath.log(100 / (100 - level)) / StrictMath.log(2)) + 1;
        return level + 100.0 / (TICKS * (double) (1L << halvings));
    }
}
