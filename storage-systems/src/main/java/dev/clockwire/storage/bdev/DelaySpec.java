package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * By how much a {@link DelayBdev} delays the end of I/Os, in ps: one of a hundred, drawn at random, by the larger number.
 *
 * @param avgReadPs most reads
 * @param p99ReadPs the hundredth read
 * @param avgWritePs most writes
 * @param p99WritePs the hundredth write
 */
public record DelaySpec(long avgReadPs, long p99ReadPs, long avgWritePs, long p99WritePs) {
    private static final long LARGEST = 3_600_000_000_000_000L;

    /** Checks the ranges. */
    public DelaySpec {
        check("delay.avgReadPs", avgReadPs, 0);
        check("delay.p99ReadPs", p99ReadPs, avgReadPs);
        check("delay.avgWritePs", avgWritePs, 0);
        check("delay.p99WritePs", p99WritePs, avgWritePs);
    }

    private static void check(String what, long value, long least) {
        if (value < least || value > LARGEST) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + LARGEST);
        }
    }
}
