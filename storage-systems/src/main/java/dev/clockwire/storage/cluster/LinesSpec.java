package dev.clockwire.storage.cluster;

import dev.clockwire.nic.lab.StarSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines between machines and their switch. A machine has one: two NICs of 200 Gbit/s are one line of 400.
 *
 * @param nodeGbps of a storage node or manager in Gbit/s, 0 = the profile's
 * @param clientGbps of a client in Gbit/s, 0 = the profile's
 * @param bufferBytes of the switch
 * @param lossless whether senders are paused before frames are lost
 */
public record LinesSpec(double nodeGbps, double clientGbps, long bufferBytes, boolean lossless) {
    /** The profile's lines, and a switch that loses what it has no room for. */
    public static final LinesSpec PROFILE =
            new LinesSpec(0, 0, StarSpec.usual().bufferBytes(), StarSpec.usual().lossless());

    /** Slowest and fastest line in Gbit/s, as {@code link.gbps} of a profile. */
    public static final double LEAST = 1;

    /** See {@link #LEAST}. */
    public static final double MOST = 1600;

    private static final double KILO = 1e6;

    /** Checks the ranges. */
    public LinesSpec {
        range("line of a storage node", nodeGbps);
        range("line of a client", clientGbps);
    }

    private static void range(String what, double gbps) {
        if (gbps != 0 && !(gbps >= LEAST && gbps <= MOST)) {
            throw new ConfigurationException(what + " " + Plain.text(gbps) + " Gbit/s: must be " + Plain.text(LEAST)
                    + " to " + Plain.text(MOST) + ", or 0 for the profile's");
        }
    }

    /** Returns the star of a cluster whose profile has lines of a rate. */
    StarSpec star(double profileGbps, int servers, int clients) {
        List<Long> rates = new ArrayList<>();
        for (int i = 0; i < servers + clients; i++) {
            double own = i < servers ? nodeGbps : clientGbps;
            rates.add(Math.round((own == 0 ? profileGbps : own) * KILO));
        }
        return new StarSpec(rates, bufferBytes, lossless);
    }
}
