package dev.clockwire.roce.fabric;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A full-duplex link.
 *
 * @param kbps rate in kbit/s: exact for every rate in use
 * @param cablePs propagation in the cable in ps: about 5,000 a metre
 * @param phyPs latency of PHY, FEC and lane alignment in ps, both ends together
 * @param framing what a frame costs besides its bytes
 * @param atFirstBit a frame is handed over when its first bit arrives (for a receiver that cuts through); else at its last
 */
public record LinkSpec(long kbps, long cablePs, long phyPs, Framing framing, boolean atFirstBit) {
    private static final long BITS_PS = 8_000_000_000L; // 8 bits at 1 kbit/s, in ps
    private static final double KBPS_PER_GBPS = 1_000_000;
    private static final long MAX_KBPS = 10_000_000_000L;

    /** Checks the ranges. */
    public LinkSpec {
        if (kbps < 1 || kbps > MAX_KBPS) {
            throw new ConfigurationException("link rate " + kbps + " kbit/s: must be 1.." + MAX_KBPS);
        }
        if (cablePs < 0 || phyPs < 0 || cablePs + phyPs < 1) {
            String text = "link of " + cablePs + " ps cable and " + phyPs
                    + " ps PHY: neither is negative, together at least 1";
            throw new ConfigurationException(text);
        }
    }

    /** Returns an Ethernet link that hands frames over at their last bit; the rate in Gbit/s is rounded to 1 kbit/s. */
    public static LinkSpec ethernet(double gbps, long cablePs, long phyPs) {
        return new LinkSpec(Math.round(gbps * KBPS_PER_GBPS), cablePs, phyPs, Framing.ETHERNET, false);
    }

    /** Returns a copy with another framing. */
    public LinkSpec withFraming(Framing other) {
        return new LinkSpec(kbps, cablePs, phyPs, other, atFirstBit);
    }

    /** Returns a copy that hands frames over at their first bit, or at their last. */
    public LinkSpec withAtFirstBit(boolean first) {
        return new LinkSpec(kbps, cablePs, phyPs, framing, first);
    }

    /** Returns the time of a bit from one end to the other in ps. */
    public long flightPs() {
        return cablePs + phyPs;
    }

    /** Returns the line time of some bytes in ps, rounded up. */
    public long linePs(long bytes) {
        return (bytes * BITS_PS + kbps - 1) / kbps;
    }

    /** Returns the line time of some bytes in units of 1 / {@link #kbps} ps: exact. */
    long lineTicks(long bytes) {
        return bytes * BITS_PS;
    }
}
