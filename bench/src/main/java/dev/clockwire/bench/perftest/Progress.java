package dev.clockwire.bench.perftest;

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

    private final long patiencePs;
    private long done = -1;
    private long since;

    Progress(long now, PerftestSpec spec) {
        since = now;
        patiencePs = PATIENCE_PS + spec.qps() * spec.size() * SLOWEST_BYTE_PS;
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
