package dev.clockwire.pcie.host;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;

/**
 * What holds up all of memory at once, such as a refresh, and what differs from one access to the next.
 *
 * @param periodPs one chance for a stall in each period; 0 for no stalls
 * @param durationPs of a stall, at most the period
 * @param probability that a period has one, 0 to 1
 * @param onAccess whether a stall begins with the first access of its period, rather than anywhere in it
 * @param jitterPs median of what is added to each access, 0 for nothing
 * @param jitterSigma deviation of its natural logarithm, 0 to 4
 */
public record StallSpec(
        long periodPs, long durationPs, double probability, boolean onAccess, long jitterPs, double jitterSigma) {
    /** Nothing of it. */
    public static final StallSpec NONE = new StallSpec(0, 0, 0, false, 0, 0);

    private static final long LONGEST_PS = 10_000_000_000_000L;
    private static final long MOST_JITTER_PS = 10_000_000L;
    private static final double MOST_SIGMA = 4;

    /** Checks the ranges. */
    public StallSpec {
        check("period ps", (double) periodPs, 0, LONGEST_PS);
        check("duration ps", (double) durationPs, 0, (double) periodPs);
        check("probability", probability, 0, 1);
        check("jitter ps", (double) jitterPs, 0, MOST_JITTER_PS);
        check("jitter sigma", jitterSigma, 0, MOST_SIGMA);
    }

    private static void check(String what, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new ConfigurationException("host stall: " + what + " " + Plain.text(value) + " is not in "
                    + Plain.text(min) + ".." + Plain.text(max) + (what.startsWith("duration") ? ", the period" : ""));
        }
    }

    /** Returns whether anything ever waits. */
    public boolean isActive() {
        return stalls() || jitterPs > 0;
    }

    /** Returns whether there are stalls. */
    boolean stalls() {
        return periodPs > 0 && durationPs > 0 && probability > 0;
    }
}
