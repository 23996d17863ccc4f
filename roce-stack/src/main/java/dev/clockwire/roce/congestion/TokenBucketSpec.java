package dev.clockwire.roce.congestion;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What the registers of a token bucket hold.
 *
 * @param perCycle TB_RATE_REG: bytes a core clock with {@code fractionBits} binary places, 0 = unlimited
 * @param fractionBits binary places of rate and tokens, 0 to 24; 16 are steps of 30.5 kbit/s at 250 MHz
 * @param burstBytes TB_BURST_REG: bytes a full bucket holds, at least the largest packet that is charged, at most 2^32 - 1
 */
public record TokenBucketSpec(long perCycle, int fractionBits, long burstBytes) {
    /** Binary places of TB_RATE_REG. */
    public static final int REGISTER_BITS = 16;

    /** The bucket of TB_BURST_REG after reset, in bytes. */
    public static final long RESET_BURST = 65_536;

    static final int MAX_FRACTION_BITS = 24;
    static final long MAX_BURST = 0xFFFF_FFFFL;

    /** Checks the ranges. */
    public TokenBucketSpec {
        range("rate of a token bucket", perCycle, 0, 0xFFFF_FFFF_FFFFL);
        range("binary places of a token bucket", fractionBits, 0, MAX_FRACTION_BITS);
        range("burst of a token bucket", burstBytes, 1, MAX_BURST);
    }

    /** Returns the bucket of registers after reset: unlimited. */
    public static TokenBucketSpec reset() {
        return new TokenBucketSpec(0, REGISTER_BITS, RESET_BURST);
    }

    /**
     * Returns the bucket of a rate, rounded to the nearest step of the register; a rate above zero that rounds to nothing gets one step.
     *
     * @param bitsPerSecond the rate, 1 or more
     * @param clockHz the core clock
     */
    public static TokenBucketSpec of(long bitsPerSecond, long clockHz, long burstBytes) {
        return new TokenBucketSpec(perCycle(bitsPerSecond, clockHz, REGISTER_BITS), REGISTER_BITS, burstBytes);
    }

    /** Returns bytes a clock with binary places for a rate in bit/s, nearest, at least one step. */
    public static long perCycle(long bitsPerSecond, long clockHz, int fractionBits) {
        range("rate in bit/s", bitsPerSecond, 1, 1L << 43);
        range("clock in Hz", clockHz, 1, 1L << 40);
        // two divisions: 8 Tbit/s with 24 binary places is more than a long holds
        long bytes = bitsPerSecond / 8 / clockHz;
        long rest = bitsPerSecond - bytes * 8 * clockHz;
        long divisor = 8 * clockHz;
        long fraction = 0;
        for (int i = 0; i < fractionBits; i++) {
            rest <<= 1;
            fraction <<= 1;
            if (rest >= divisor) {
                rest -= divisor;
                fraction |= 1;
            }
        }
        long steps = (bytes << fractionBits) + fraction + (2 * rest >= divisor ? 1 : 0);
        return Math.max(1, steps);
    }

    static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ConfigurationException(what + " " + value + " is not in " + min + ".." + max);
        }
    }
}
