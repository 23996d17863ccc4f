package dev.clockwire.sim.capture;

import java.math.BigInteger;

/** How the time stamps of one pcapng interface become nanoseconds. */
final class TimeResolution {
    private static final int NS_DIGITS = 9;
    private static final BigInteger NS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

    private final long nsPerUnit; // 0 = a unit is no whole number of nanoseconds
    private final BigInteger unitsPerSecond;
    private final long offsetSeconds;

    /**
     * Creates the conversion.
     *
     * @param code option if_tsresol: bit 7 = the rest is a power of 2, else a power of 10, of units per second
     * @param offsetSeconds option if_tsoffset
     */
    TimeResolution(int code, long offsetSeconds) {
        int exponent = code & 0x7F;
        boolean binary = (code & 0x80) != 0;
        unitsPerSecond = (binary ? BigInteger.TWO : BigInteger.TEN).pow(exponent);
        nsPerUnit = binary || exponent > NS_DIGITS
                ? 0
                : NS_PER_SECOND.divide(unitsPerSecond).longValueExact();
        this.offsetSeconds = offsetSeconds;
    }

    /**
     * Returns the time in nanoseconds, rounded down.
     *
     * @param units the time stamp, unsigned
     * @throws ArithmeticException if it is beyond what a long holds, about the year 2262
     */
    long ns(long units) {
        if (nsPerUnit != 0 && offsetSeconds == 0 && units >= 0) {
            return Math.multiplyExact(units, nsPerUnit);
        }
        BigInteger unsigned = new BigInteger(Long.toUnsignedString(units));
        return unsigned.multiply(NS_PER_SECOND)
                .divide(unitsPerSecond)
                .add(BigInteger.valueOf(offsetSeconds).multiply(NS_PER_SECOND))
                .longValueExact();
    }
}
