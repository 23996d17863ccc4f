package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The NVMe-oF offload.
 *
 * @param contexts commands that it keeps at a time, 1 to 1024; 0: there is no such block
 * @param cycles from a capsule, or a completion of the SSD, to the first write that follows from it, 1 to 1000
 */
public record OffloadSpec(int contexts, int cycles) {
    private static final int MOST = 1024;
    private static final int SLOWEST = 1000;

    /** Checks the ranges. */
    public OffloadSpec {
        if (contexts < 0 || contexts > MOST) {
            throw new ConfigurationException("offload: " + contexts + " contexts are not in 0.." + MOST);
        }
        if (cycles < 1 || cycles > SLOWEST) {
            throw new ConfigurationException("offload: " + cycles + " cycles are not in 1.." + SLOWEST);
        }
    }

    /** Returns whether there is such a block. */
    public boolean exists() {
        return contexts > 0;
    }

    /** Reads the parameters out of a profile. */
    static OffloadSpec from(Profile p) {
        return new OffloadSpec(p.integer("nic.nvmf.contexts"), p.integer("nic.nvmf.cycles"));
    }
}
