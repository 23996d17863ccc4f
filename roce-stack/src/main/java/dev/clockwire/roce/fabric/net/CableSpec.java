package dev.clockwire.roce.fabric.net;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A link between two nodes.
 *
 * @param a name of a node
 * @param b name of another
 * @param kbps rate in kbit/s, 1 to 10^10
 * @param delayPs from one end to the other in ps, 1 ps to 1 s
 * @param loss probability of a frame to be lost in either direction, 0 to 1
 */
public record CableSpec(String a, String b, long kbps, long delayPs, double loss) {
    private static final long MAX_KBPS = 10_000_000_000L;
    private static final long MAX_PS = 1_000_000_000_000L;

    /** Checks the ranges. */
    public CableSpec {
        if (a.equals(b)) {
            throw new ConfigurationException("link from " + a + " to itself");
        }
        if (kbps < 1 || kbps > MAX_KBPS) {
            throw new ConfigurationException(
                    "link " + a + " - " + b + ": " + kbps + " kbit/s is not in 1.." + MAX_KBPS);
        }
        if (delayPs < 1 || delayPs > MAX_PS) {
            throw new ConfigurationException("link " + a + " - " + b + ": " + delayPs + " ps is not in 1.." + MAX_PS);
        }
        if (!(loss >= 0 && loss <= 1)) {
            throw new ConfigurationException("link " + a + " - " + b + ": loss " + loss + " is not in 0..1");
        }
    }
}
