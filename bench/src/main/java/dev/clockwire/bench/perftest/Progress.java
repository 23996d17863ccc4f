package dev.clockwire.bench.perftest;

import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * Notices a run that waits for a message that will never come: the real tools hang then. Only faults can bring that about, on the
 * services that lose messages; a reliable connection gives up long before.
 */
final class Progress {
    /** Seven retries of 67 ms, each detected within the factor of four that the standard allows, are over after 2.2 s. */
    private static final long PATIENCE_PS = 5_000_000_000_000L;

    /** No parameter makes a byte slower: 39 ns if reads of 512 B take 20 us one after another. */
    private static final long SLOWEST_BYTE_PS = 100_000;

    private static final double PS_PER_SECOND = 1e12;
    private static final double MOST_OVERHEAD = 1100;

    /** A quarter of simulated time; what takes longer nobody waits for. */
    private static final double LONGEST_PS = Long.MAX_VALUE / 4.0;

    private final long patiencePs;
    private long done = -1;
    private long since;

    Progress(long now, PerftestSpec spec) {
        since = now;
        double slow = PATIENCE_PS
                + (double) spec.qps() * spec.size() * SLOWEST_BYTE_PS
                + spec.cqMod() * (gapPs(spec) + pacedPs(spec));
        patiencePs = (long) Math.min(slow, LONGEST_PS);
    }

    /** A queue pair's time from one message to the next that its program wants. */
    private static double gapPs(PerftestSpec spec) {
        return spec.rate() > 0 ? spec.qps() * PS_PER_SECOND / spec.rate() : 0;
    }

    /** The time that a message takes when the device paces it, with more headers than it can have. */
    private static double pacedPs(PerftestSpec spec) {
        RateLimit pacing = spec.pacing();
        double bytes = spec.size() + (spec.size() / spec.mtu() + 1) * MOST_OVERHEAD;
        return pacing.kbps() > 0 ? bytes * 8 * PS_PER_SECOND / pacing.bitsPerSecond() : 0;
    }

    /** Takes the number of finished messages; refuses to wait for another one any longer. */
    void check(long count, long now) {
        if (count != done) {
            done = count;
            since = now;
        } else if (now - since > patiencePs) {
            throw new ConfigurationException(
                    "",
                    now,
                    "no message has ended for " + patiencePs / 1_000_000_000_000L + " s after " + done
                            + " messages: one was lost for good");
        }
    }
}
