package dev.clockwire.pcie.host;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Who lives where on a host with several NUMA nodes.
 *
 * @param memory node of the memory that programs get when they ask for none
 * @param core node of the cores
 */
public record NumaSpec(int memory, int core) {
    /** Everything on node 0. */
    public static final NumaSpec LOCAL = new NumaSpec(0, 0);

    private static final int MOST = 255;

    /** Checks the ranges. */
    public NumaSpec {
        check("memory", memory);
        check("core", core);
    }

    private static void check(String what, int node) {
        if (node < 0 || node > MOST) {
            throw new ConfigurationException("NUMA node of " + what + " " + node + " is not in 0.." + MOST);
        }
    }
}
