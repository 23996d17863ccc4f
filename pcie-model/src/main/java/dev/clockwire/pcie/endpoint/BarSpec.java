package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A window of a device.
 *
 * @param number base address register, 0 to 5
 * @param bytes size, a power of two of at least 4096
 * @param prefetchable whether reads have no side effects, so that the host may combine writes
 */
public record BarSpec(int number, long bytes, boolean prefetchable) {
    /** Checks the ranges. */
    public BarSpec {
        if (number < 0 || number > 5) {
            throw new ConfigurationException("BAR " + number + " is not in 0..5");
        }
        if (Long.bitCount(bytes) != 1 || bytes < 4096) {
            throw new ConfigurationException(
                    "BAR " + number + " of " + bytes + " bytes: must be a power of two from 4096 on");
        }
    }
}
