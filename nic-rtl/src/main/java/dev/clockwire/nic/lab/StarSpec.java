package dev.clockwire.nic.lab;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/**
 * The one switch of a star and the lines around it.
 *
 * @param kbps rate of each host's line in the order of the hosts, in kbit/s; empty: all have the profile's
 * @param bufferBytes what the switch can hold, 1 MiB to 4 GiB
 * @param lossless whether hosts are paused before the switch loses frames, as on InfiniBand; else frames that find no room are lost
 */
public record StarSpec(List<Long> kbps, long bufferBytes, boolean lossless) {
    private static final long LEAST = 1L << 20;
    private static final long MOST = 1L << 32;
    private static final long MOST_KBPS = 1_600_000_000;

    /** Checks the ranges. */
    public StarSpec {
        kbps = List.copyOf(kbps);
        if (bufferBytes < LEAST || bufferBytes > MOST) {
            throw new ConfigurationException(
                    "buffer of the switch " + bufferBytes + " B: must be " + LEAST + " to " + MOST);
        }
        for (long rate : kbps) {
            if (rate < 1 || rate > MOST_KBPS) {
                throw new ConfigurationException("rate of a line " + rate + " kbit/s: must be 1 to " + MOST_KBPS);
            }
        }
    }

    /** Returns the profile's lines around a switch of 64 MiB that loses what it has no room for. */
    public static StarSpec usual() {
        return new StarSpec(List.of(), 64L << 20, false);
    }
}
