package dev.clockwire.storage.load;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A time for which clients are busy, of which the first part is not counted: queues fill and connections are made. An operation counts in which part it ends.
 *
 * @param warmupPs in front of what counts
 * @param measuredPs what counts
 */
public record LoadWindow(long warmupPs, long measuredPs) {
    private static final long MOST = 3_600_000_000_000_000L;

    /** Checks the ranges. */
    public LoadWindow {
        if (warmupPs < 0 || warmupPs > MOST) {
            throw new ConfigurationException("warm-up of " + warmupPs + " ps: must be 0 to " + MOST);
        }
        if (measuredPs < 1 || measuredPs > MOST) {
            throw new ConfigurationException("duration of " + measuredPs + " ps: must be 1 to " + MOST);
        }
    }

    /** Returns the whole time. */
    long allPs() {
        return warmupPs + measuredPs;
    }
}
