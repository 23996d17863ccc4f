package dev.clockwire.pcie.fabric;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What a packet pays in a switch, beside the time on its two links.
 *
 * @param forwardPs from a packet's arrival at one port to its earliest start at another, in ps
 * @param cutThrough whether a packet starts to leave while it still comes in: as soon as its header is there, but not so early that the
 *     outgoing link would run out of bits. Otherwise it starts when its last bit is there
 */
public record PcieSwitchSpec(long forwardPs, boolean cutThrough) {
    private static final long LONGEST_PS = 1_000_000_000L;

    /** A Gen5 switch chip: 115 ns a hop (HighPoint on Broadcom PEX89048, measured). */
    public static final PcieSwitchSpec GEN5 = new PcieSwitchSpec(115_000, true);

    /** A switch on the same chip as its devices: about 100 ns, as storage adapters are described; an estimate. */
    public static final PcieSwitchSpec ON_CHIP = new PcieSwitchSpec(100_000, true);

    /** Checks the range. */
    public PcieSwitchSpec {
        if (forwardPs < 1 || forwardPs > LONGEST_PS) {
            throw new ConfigurationException("forwarding latency " + forwardPs + " ps is not in 1.." + LONGEST_PS);
        }
    }
}
