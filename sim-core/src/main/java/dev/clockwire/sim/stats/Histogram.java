package dev.clockwire.sim.stats;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Locale;

/**
 * The distribution of non-negative values in log-linear buckets: exact below {@code 2^(bits+1)}, above that
 * {@code 2^bits} buckets for each power of two, so a bucket is at most {@code 2^-bits} of its value wide. Count, minimum,
 * maximum, mean and standard deviation are exact. The default of 10 bits gives three decimal digits and the buckets of
 * HdrHistogram with that setting.
 *
 * <p>Recording allocates nothing, except when a value is the first of a higher power of two than any before.
 */
public final class Histogram extends Stat {
    /** The default resolution: three significant decimal digits. */
    public static final int DEFAULT_BITS = 10;

    private final int bits;
    private final WideSum sum = new WideSum();
    private final WideSum squares = new WideSum();
    private long[] counts;
    private long count;
    private long min = Long.MAX_VALUE;
    private long max;

    /** Creates an empty histogram of the default resolution; {@link StatRegistry#histogram} also registers it. */
    public Histogram(String name, String unit, String description) {
        this(name, unit, description, DEFAULT_BITS);
    }

    /**
     * Creates an empty histogram.
     *
     * @param bits resolution, 1 to 16; memory is up to {@code 8 x (65 - bits) x 2^bits} bytes
     */
    public Histogram(String name, String unit, String description, int bits) {
        super(name, unit, description);
        if (bits < 1 || bits > 16) {
            throw new ConfigurationException(
                    "resolution of histogram " + name + " is " + bits + " bits: must be 1 to 16");
        }
        this.bits = bits;
        counts = new long[2 << bits];
    }

    /** Adds a value. */
    public void record(long value) {
        record(value, 1);
    }

    /** Adds a value {@code times} times. */
    public void record(long value, long times) {
        if (value < 0 || times < 0) {
            throw new InvariantViolation(
                    name(), InvariantViolation.BEFORE_TIME_ZERO, "histogram got " + value + " " + times + " times");
        }
        if (times == 0) {
            return;
        }
        int i = index(value);
        if (i >= counts.length) {
            counts = Arrays.copyOf(counts, ((i >>> bits) + 1) << bits);
        }
        counts[i] += times;
        count += times;
        min = Math.min(min, value);
        max = Math.max(max, value);
        sum.addProduct(value, times);
        squares.addSquares(value, times);
    }

    /** Adds all values of another histogram of the same resolution. */
    public void add(Histogram other) {
        if (other.bits != bits) {
            throw new ConfigurationException("histograms " + name() + " and " + other.name() + " differ in resolution: "
                    + bits + " and " + other.bits + " bits");
        }
        if (other.counts.length > counts.length) {
            counts = Arrays.copyOf(counts, other.counts.length);
        }
        for (int i = 0; i < other.counts.length; i++) {
            counts[i] += other.counts[i];
        }
        count += other.count;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
        sum.add(other.sum);
        squares.add(other.squares);
    }

    /** Returns the number of values. */
    public long count() {
        return count;
    }

    /** Returns the smallest value, 0 if there is none. */
    public long min() {
        return count == 0 ? 0 : min;
    }

    /** Returns the largest value, 0 if there is none. */
    public long max() {
        return max;
    }

    /** Returns the mean, 0 if there is no value. */
    public double mean() {
        return count == 0 ? 0 : divide(sum.value(), BigInteger.valueOf(count));
    }

    /** Returns the standard deviation of the values as a whole population (divisor n), 0 if there is no value. */
    public double stdev() {
        if (count == 0) {
            return 0;
        }
        BigInteger n = BigInteger.valueOf(count);
        BigInteger s = sum.value();
        return StrictMath.sqrt(divide(n.multiply(squares.value()).subtract(s.multiply(s)), n.multiply(n)));
    }

    /**
     * Returns the largest value that may share the bucket of the nearest rank, but not more than {@link #max}; 0 if there
     * is no value. See {@link Percentiles#rank}.
     */
    public long percentile(double percentile) {
        if (count == 0) {
            return 0;
        }
        long rank = Percentiles.rank(percentile, count);
        int i = 0;
        for (long seen = counts[0]; seen < rank; seen += counts[i]) {
            i++;
        }
        return Math.min(max, highest(i));
    }

    /** Returns the resolution in bits. */
    public int bits() {
        return bits;
    }

    /** Returns the number of buckets in use; {@link #bucketCount}, {@link #bucketEnd} tell of each. */
    public int buckets() {
        return counts.length;
    }

    /** Returns the number of values in a bucket. */
    public long bucketCount(int i) {
        return counts[i];
    }

    /** Returns the largest value that belongs to a bucket. */
    public long bucketEnd(int i) {
        return highest(i);
    }

    @Override
    public void reset(long ps) {
        Arrays.fill(counts, 0);
        count = 0;
        min = Long.MAX_VALUE;
        max = 0;
        sum.clear();
        squares.clear();
    }

    @Override
    public String text(long ps) {
        return String.format(
                Locale.ROOT,
                "%d (min %d, mean %.3f, p50 %d, p99 %d, max %d, stdev %.3f)",
                count,
                min(),
                mean(),
                percentile(50),
                percentile(99),
                max,
                stdev());
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(count);
        out.putLong(min);
        out.putLong(max);
        sum.save(out);
        squares.save(out);
        for (int i = min < max ? index(min) : index(max); i <= index(max); i++) {
            out.putLong(counts[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(counts, 0);
        count = in.getLong();
        min = in.getLong();
        max = in.getLong();
        sum.load(in);
        squares.load(in);
        int last = index(max);
        if (last >= counts.length) {
            counts = new long[((last >>> bits) + 1) << bits];
        }
        for (int i = min < max ? index(min) : last; i <= last; i++) {
            counts[i] = in.getLong();
        }
    }

    private int index(long value) {
        int shift = Math.max(0, 63 - bits - Long.numberOfLeadingZeros(value));
        return (shift << bits) + (int) (value >>> shift);
    }

    private long highest(int i) {
        int shift = Math.max(0, (i >>> bits) - 1);
        return ((i - ((long) shift << bits) + 1) << shift) - 1;
    }

    private static double divide(BigInteger a, BigInteger b) {
        return new BigDecimal(a)
                .divide(new BigDecimal(b), MathContext.DECIMAL64)
                .doubleValue();
    }
}
