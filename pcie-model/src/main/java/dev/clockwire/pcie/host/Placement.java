package dev.clockwire.pcie.host;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Where memory lies, which decides how long a device's read of it takes.
 *
 * @param cached whether the last-level cache holds it: rings and records that cores touch all the time
 * @param node NUMA node, from 0
 */
public record Placement(boolean cached, int node) {
    /** Checks the ranges. */
    public Placement {
        if (node < 0 || node > 255) {
            throw new ConfigurationException("NUMA node " + node + " is not in 0..255");
        }
    }

    /** Returns a place in the last-level cache of a node. */
    public static Placement cache(int node) {
        return new Placement(true, node);
    }

    /** Returns a place in the DRAM of a node. */
    public static Placement dram(int node) {
        return new Placement(false, node);
    }
}
