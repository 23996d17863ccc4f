package dev.clockwire.pcie.link;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What order costs on a platform. A root complex that keeps strictly ordered writes in order all the way to memory takes one after the
 * other; writes with the relaxed ordering attribute do not wait for those before them.
 *
 * @param strictWritePs time that each strictly ordered write occupies the root complex, in ps; 0 if order costs nothing, as on hosts where
 *     relaxed ordering changes nothing
 * @param idBased whether the device sets the ID-based ordering attribute where its configuration space allows it
 */
public record PcieOrdering(long strictWritePs, boolean idBased) {
    /** Order costs nothing. */
    public static final PcieOrdering FREE = new PcieOrdering(0, false);

    /** AMD EPYC: strict writes of 256 bytes at 150 Gb/s, as measured where relaxed ones reach the 200 Gb/s of the line (openucx/ucx PR 8062). */
    public static final PcieOrdering EPYC = new PcieOrdering(13_650, false);

    /** Intel Emerald Rapids: strict writes of 256 bytes at 16 GB/s, relaxed ones above 40 (openucx/ucx PR 10955). */
    public static final PcieOrdering EMERALD_RAPIDS = new PcieOrdering(16_000, false);

    private static final long LONGEST_PS = 1_000_000_000L;

    /** Checks the range. */
    public PcieOrdering {
        if (strictWritePs < 0 || strictWritePs > LONGEST_PS) {
            throw new ConfigurationException("pcie.strict_write " + strictWritePs + " ps is not in 0.." + LONGEST_PS);
        }
    }
}
