package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The period of a clock as an exact fraction of picoseconds, so that no edge drifts: 322.265625 MHz is 102400/33 ps.
 *
 * @param periodNum numerator of the period in ps
 * @param periodDen denominator of the period, at most 10^6
 */
public record Frequency(long periodNum, long periodDen) {
    private static final long PS_PER_US = 1_000_000;
    private static final long MAX_DEN = 1_000_000;
    private static final long MAX_NUM = 1_000_000_000_000L;

    /** Reduces the fraction and checks it: a period lies between 1 ps and 1 s. */
    public Frequency {
        if (periodNum <= 0 || periodDen <= 0) {
            throw new ConfigurationException("clock period " + periodNum + "/" + periodDen + " ps is not positive");
        }
        long g = gcd(periodNum, periodDen);
        periodNum /= g;
        periodDen /= g;
        if (periodNum < periodDen || periodDen > MAX_DEN || periodNum > MAX_NUM) {
            throw new ConfigurationException("clock period " + periodNum + "/" + periodDen
                    + " ps: needs at least 1 ps, numerator <= " + MAX_NUM + ", denominator <= " + MAX_DEN);
        }
    }

    /** Returns the frequency of whole megahertz. */
    public static Frequency mhz(long mhz) {
        return new Frequency(PS_PER_US, mhz);
    }

    /** Returns the frequency of whole hertz. */
    public static Frequency hz(long hz) {
        return new Frequency(1_000_000_000_000L, hz);
    }

    /** Returns the frequency with a period of num/den ps. */
    public static Frequency ofPeriodPs(long num, long den) {
        return new Frequency(num, den);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Returns the frequency in MHz, for people. */
    public double mhz() {
        return (double) PS_PER_US * periodDen / periodNum;
    }
}
