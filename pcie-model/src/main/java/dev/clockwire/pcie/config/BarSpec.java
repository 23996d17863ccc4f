package dev.clockwire.pcie.config;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A window of a device.
 *
 * @param number base address register, 0 to 5
 * @param bytes size, a power of two of at least 4096
 * @param prefetchable whether reads have no side effects, so that the host may combine writes
 * @param wide whether it is a 64-bit register, which takes the next one too
 */
public record BarSpec(int number, long bytes, boolean prefetchable, boolean wide) {
    private static final int LAST = 5;
    private static final long LARGEST_NARROW = 1L << 31;
    private static final long LARGEST = 1L << 62;

    /** Checks the ranges. */
    public BarSpec {
        if (number < 0 || number > LAST) {
            throw new ConfigurationException("BAR " + number + " is not in 0..5");
        }
        if (Long.bitCount(bytes) != 1 || bytes < 4096 || bytes > LARGEST) {
            throw new ConfigurationException(
                    "BAR " + number + " of " + bytes + " bytes: must be a power of two from 4096 on");
        }
        if (wide && number == LAST) {
            throw new ConfigurationException("BAR 5 cannot be a 64-bit one: there is no BAR 6 for its upper half");
        }
        if (!wide && bytes > LARGEST_NARROW) {
            throw new ConfigurationException(
                    "BAR " + number + " of " + bytes + " bytes: a 32-bit one has at most " + LARGEST_NARROW);
        }
    }

    /** Creates a 64-bit window. */
    public BarSpec(int number, long bytes, boolean prefetchable) {
        this(number, bytes, prefetchable, true);
    }

    /** Returns the first register that this one leaves free. */
    public int next() {
        return wide ? number + 2 : number + 1;
    }

    /** Refuses a second window that takes a register of this one. */
    public void requireApart(BarSpec other) {
        if (number < other.next() && other.number < next()) {
            throw new ConfigurationException("BAR " + other.number + " exists already: BAR " + number + " takes "
                    + (wide ? number + " and " + (number + 1) + " as it is a 64-bit one" : "it"));
        }
    }
}
