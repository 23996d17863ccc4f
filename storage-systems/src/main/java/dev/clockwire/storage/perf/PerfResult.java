package dev.clockwire.storage.perf;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.stats.Histogram;

/**
 * What came of a load.
 *
 * @param latency of the I/Os that ended in the time that counts, from before they were submitted to their end, in ps
 * @param errors I/Os among them that did not succeed
 * @param reads I/Os among them that were reads
 * @param ioBytes bytes of each
 * @param timePs the time that counts
 * @param meanOutstanding outstanding I/Os in the mean over this time
 */
public record PerfResult(Histogram latency, long errors, long reads, int ioBytes, long timePs, double meanOutstanding) {
    private static final double PS = 1e12;
    private static final double MEBI = 1 << 20;
    private static final double TOLERANCE = 0.02;
    /** With fewer I/Os for each outstanding one, those that straddle the ends of the time weigh more than the tolerance. */
    private static final double ENOUGH = 100;

    /** Returns I/Os per second. */
    public double iops() {
        return latency.count() * PS / timePs;
    }

    /** Returns 2^20 bytes per second. */
    public double mebibytesPerSecond() {
        return iops() * ioBytes / MEBI;
    }

    /** Returns by how much the outstanding I/Os differ from rate times mean latency, as a share of them. */
    public double littleError() {
        return Math.abs(iops() / PS * latency.mean() / meanOutstanding - 1);
    }

    /**
     * Checks Little's law, outstanding = rate x mean latency, to 2 %.
     *
     * @return false if the run was too short to tell: under 100 I/Os for each outstanding one
     * @throws InvariantViolation if it does not hold
     */
    public boolean checkLittle() {
        if (latency.count() < ENOUGH * meanOutstanding) {
            return false;
        }
        if (littleError() > TOLERANCE) {
            throw new InvariantViolation("Little's law is broken: " + meanOutstanding + " outstanding in the mean, but "
                    + iops() + " I/Os per second of " + latency.mean() + " ps");
        }
        return true;
    }
}
