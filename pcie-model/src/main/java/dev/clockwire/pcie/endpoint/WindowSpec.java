package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How fast the memory behind a window is. PCIe and the device itself have a side each, with every other slot of the memory: an access takes a slot
 * of its side for every line that it touches, one after the other in the order they came.
 *
 * @param lineBytes bytes of a line, a power of two from 8 to 4096
 * @param linePs from one slot of a side to the next, 1 ps to 1 us
 * @param writePs from the end of a write's last slot to when a reader finds it, 1 ps to 1 ms
 * @param readPs from the end of a read's last slot to its data, 1 ps to 1 ms
 */
public record WindowSpec(int lineBytes, long linePs, long writePs, long readPs) {
    /**
     * The buffer of an SSD: two channels of LPDDR4-4266, 32 bits each, 34 GB/s less refresh, half of it for each side (confidence C: no vendor
     * says); 40 cycles of 1 GHz to an answer and 20 to the end of a write (C, guesses).
     */
    public static final WindowSpec SSD = new WindowSpec(64, 4_000, 20_000, 40_000);

    private static final int MOST_BYTES = 4096;
    private static final long SLOWEST_LINE = 1_000_000;
    private static final long SLOWEST = 1_000_000_000;

    /** Checks the ranges. */
    public WindowSpec {
        if (Integer.bitCount(lineBytes) != 1 || lineBytes < Long.BYTES || lineBytes > MOST_BYTES) {
            throw new ConfigurationException(
                    "memory behind a window: lines of " + lineBytes + " bytes: must be a power of two from 8 to 4096");
        }
        range("a line", linePs, SLOWEST_LINE);
        range("a write", writePs, SLOWEST);
        range("a read", readPs, SLOWEST);
    }

    private static void range(String what, long ps, long most) {
        if (ps < 1 || ps > most) {
            throw new ConfigurationException(
                    "memory behind a window: " + ps + " ps for " + what + " are not in 1.." + most);
        }
    }

    /** Returns how long the slots of an access take. */
    long holdsPs(long offset, int bytes) {
        return bytes == 0 ? 0 : ((offset + bytes - 1) / lineBytes - offset / lineBytes + 1) * linePs;
    }

    /** Returns how many MB/s (10^6 bytes) a side takes, rounded down. */
    public long megabytesPerSecond() {
        return lineBytes * 1_000_000L / linePs;
    }
}
