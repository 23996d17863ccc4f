package dev.clockwire.pcie.iommu;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The translations that a device keeps for itself (Address Translation Services).
 *
 * @param entries translations that the device holds, a multiple of the ways; sets are a power of two
 * @param ways entries of one set, 1 or more
 */
public record AtsSpec(int entries, int ways) {
    private static final int MAX_ENTRIES = 1 << 20;

    /** Checks the ranges. */
    public AtsSpec {
        if (ways < 1
                || entries < ways
                || entries > MAX_ENTRIES
                || entries % ways != 0
                || Integer.bitCount(entries / ways) != 1) {
            throw new ConfigurationException("ATS: " + entries + " translations in " + ways + " ways: must be 1.."
                    + MAX_ENTRIES + ", and entries / ways a power of two");
        }
    }
}
