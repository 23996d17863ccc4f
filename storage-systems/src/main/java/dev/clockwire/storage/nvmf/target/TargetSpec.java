package dev.clockwire.storage.nvmf.target;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A target and what its own work costs a core. The times are assumptions about a server core at 2 to 3 GHz: some hundred cycles to read a
 * capsule and its descriptors and to choose what follows, about as many to fill in a response.
 *
 * @param name of the target
 * @param profile whose values it shows
 * @param parsePs taking a capsule apart
 * @param respondPs filling in a response and preparing its work requests
 */
public record TargetSpec(String name, TargetProfile profile, long parsePs, long respondPs) {
    private static final long LONGEST = 1_000_000_000L;

    /** Checks the ranges. */
    public TargetSpec {
        if (parsePs < 0 || parsePs > LONGEST || respondPs < 0 || respondPs > LONGEST) {
            throw new ConfigurationException(
                    "nvmf target: parsePs " + parsePs + ", respondPs " + respondPs + ": must be 0.." + LONGEST);
        }
    }

    /** Returns an SPDK target under its usual name. */
    public static TargetSpec spdk() {
        return new TargetSpec("nvmf_tgt", TargetProfile.SPDK, 80_000, 50_000);
    }

    /** Returns what shows the values of a Linux target. */
    public static TargetSpec linux() {
        return new TargetSpec("nvmet", TargetProfile.LINUX, 80_000, 50_000);
    }
}
