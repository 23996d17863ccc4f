package dev.clockwire.bench.perftest;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Notices a run that waits for a message that will never come: the real tools hang then. Only faults can bring that about, on the
 * services that lose messages; a reliable connection gives up long before.
 */
final class Progress {
    /** Seven retries of 67 ms, each detected within the factor of four that the standard allows, are over after 2.2 s. */
    private static final long PATIENCE_PS = 5_000_000_000_000L;

    private long done = -1;
    private long since;

    Progress(long now) {
        since = now;
    }

    /** Takes the number of finished messages; refuses to wait for another one any longer. */
    void check(long count, long now) {
        if (count != done) {
            done = count;
            since = now;
        } else if (now - since > PATIENCE_PS) {
            throw new ConfigurationException(
                    "",
                    now,
                    "no message has ended for " + PATIENCE_PS / 1_000_000_000_000L + " s after " + done
                            + " messages: one was lost for good");
        }
    }
}
