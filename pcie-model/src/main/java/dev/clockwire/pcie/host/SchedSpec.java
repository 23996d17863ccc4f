package dev.clockwire.pcie.host;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What a core loses that is not isolated: at each tick the timer's interrupt, and sometimes another task's slice behind it.
 *
 * @param tickPs from one tick to the next, at least 1 us
 * @param tickCostPs of the interrupt and what it finds to do
 * @param load chance that another task wants the core at a tick, 0 to 1
 * @param slicePs how long that task has it, both switches included; with the interrupt shorter than the tick's period
 */
public record SchedSpec(long tickPs, long tickCostPs, double load, long slicePs) {
    private static final long SHORTEST_PS = 1_000_000L;
    private static final long LONGEST_PS = 1_000_000_000_000L;

    /** Checks the ranges. */
    public SchedSpec {
        check("tick ps", tickPs, SHORTEST_PS, LONGEST_PS, "");
        check("tick cost ps", tickCostPs, 0, tickPs - 1, ", below the tick");
        check("slice ps", slicePs, 0, tickPs - tickCostPs - 1, ", what a tick leaves");
        if (!(load >= 0 && load <= 1)) {
            throw new ConfigurationException("host scheduler: load " + load + " is not in 0..1");
        }
    }

    private static void check(String what, long value, long min, long max, String rule) {
        if (value < min || value > max) {
            throw new ConfigurationException(
                    "host scheduler: " + what + " " + value + " is not in " + min + ".." + max + rule);
        }
    }
}
