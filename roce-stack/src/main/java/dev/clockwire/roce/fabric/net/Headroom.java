package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.PauseState;
import dev.clockwire.roce.wire.PauseFrame;

/**
 * What a sender still sends after its receiver has decided to stop it: both directions of the cable, the frame in front of the pause, the pause
 * itself, the sender's reaction, and the frame it has just begun. Source: IEEE 802.1Q, annex on buffer requirements of priority flow control.
 */
public final class Headroom {
    private static final int MOST = 1 << 30;
    private static final long BITS_PS = 8_000_000_000L;

    /** Rates in Gbit/s up to which a sender must react within so many quanta (IEEE 802.3, annex 31B). */
    private static final int[][] REACTION = {{10, 60}, {25, 80}, {40, 118}, {100, 394}, {400, 905}};

    private static final long KBPS_GBPS = 1_000_000;

    private Headroom() {}

    /** Returns the time within which a port must obey a pause, in ps; between the rates that the standard names that of the next faster one. */
    public static long reactionPs(long kbps) {
        int quanta = REACTION[REACTION.length - 1][1];
        for (int i = REACTION.length - 1; i >= 0 && kbps <= REACTION[i][0] * KBPS_GBPS; i--) {
            quanta = REACTION[i][1];
        }
        return PauseState.quantaPs(quanta, kbps);
    }

    /**
     * Returns the bytes of headroom of a port and a lossless class.
     *
     * @param kbps rate in kbit/s
     * @param delayPs one way of the cable in ps
     * @param frameBytes largest frame on the line, with whatever the line adds
     * @param pauseBytes a pause frame on the line
     * @param reactionPs from the pause at the sender to its last frame's start in ps
     */
    public static long bytes(long kbps, long delayPs, int frameBytes, int pauseBytes, long reactionPs) {
        long bits = Math.multiplyHigh(2 * delayPs + reactionPs, kbps) == 0 ? (2 * delayPs + reactionPs) * kbps : -1;
        long flight = bits < 0 ? Long.MAX_VALUE >> 1 : bits / BITS_PS + (bits % BITS_PS == 0 ? 0 : 1);
        return flight + 2L * frameBytes + pauseBytes;
    }

    /**
     * Returns the bytes that a port needs to lose nothing, whatever flows in both directions and whoever is at the other end: those of {@link #bytes}
     * with the reaction that the standard allows, and the frame whose arrival decides, since this switch counts it as headroom.
     *
     * @param frameBytes largest frame as captured
     */
    public static int needed(CableSpec cable, Framing framing, int frameBytes) {
        int line = framing.lineBytes(frameBytes);
        int pause = framing.lineBytes(PauseFrame.BYTES);
        long bytes = bytes(cable.kbps(), cable.delayPs(), line, pause, reactionPs(cable.kbps()));
        return (int) Math.min(MOST, bytes + line);
    }
}
