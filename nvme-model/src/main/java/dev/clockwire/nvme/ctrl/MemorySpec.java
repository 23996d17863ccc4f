package dev.clockwire.nvme.ctrl;

import dev.clockwire.pcie.endpoint.WindowSpec;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * Memory of an SSD that others reach: the controller memory buffer (CMB), BAR 2, and the persistent memory region (PMR), BAR 4. Sizes are powers
 * of two from 4 KiB to 1 GiB, 0 = there is none.
 *
 * @param cmbBytes of the buffer
 * @param pmrBytes of the region; what is in it survives resets
 * @param speed of each
 */
public record MemorySpec(long cmbBytes, long pmrBytes, WindowSpec speed) {
    /** None. */
    public static final MemorySpec NONE = new MemorySpec(0, 0, WindowSpec.SSD);

    private static final int LEAST = 4096;
    private static final int MOST = 1 << 30;

    /** Checks the ranges. */
    public MemorySpec {
        check("controller memory", cmbBytes);
        check("a persistent memory region", pmrBytes);
    }

    private static void check(String what, long bytes) {
        if (bytes != 0 && (bytes < LEAST || bytes > MOST || Long.bitCount(bytes) != 1)) {
            throw new ConfigurationException(
                    "SSD: " + what + " of " + bytes + " B: must be 0 or a power of two from " + LEAST + " to " + MOST);
        }
    }
}
