package dev.clockwire.roce.fabric.net;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * When an LLDP agent speaks. Source of names, ranges and defaults: IEEE 802.1AB-2009, clause 9.2.5.
 *
 * @param intervalS seconds between frames (msgTxInterval), 1 to 3600
 * @param hold intervals for which what was said holds (msgTxHold), 1 to 100
 * @param fastS seconds between the frames to a new neighbour (msgFastTx), 1 to 3600
 * @param fastFrames how many of these (txFastInit), 1 to 8
 */
public record LldpSpec(int intervalS, int hold, int fastS, int fastFrames) {
    /** A frame each 30 s that holds for 121 s; four frames, one second apart, to a new neighbour. */
    public static final LldpSpec STANDARD = new LldpSpec(30, 4, 1, 4);

    private static final int MOST_S = 3600;
    private static final int MOST_HOLD = 100;
    private static final int MOST_FRAMES = 8;
    private static final int LONGEST = 0xFFFF;

    /** Checks the ranges. */
    public LldpSpec {
        range("LLDP interval in s", intervalS, MOST_S);
        range("LLDP hold", hold, MOST_HOLD);
        range("LLDP fast interval in s", fastS, MOST_S);
        range("LLDP fast frames", fastFrames, MOST_FRAMES);
    }

    private static void range(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in 1.." + most);
        }
    }

    /** Returns the time to live that frames carry, in seconds: an interval more than would do, so that a late frame is no lost one. */
    public int seconds() {
        return Math.min(LONGEST, intervalS * hold + 1);
    }
}
