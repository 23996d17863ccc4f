package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.wire.PauseFrame;

/**
 * What a sender still sends after its receiver has decided to stop it: both directions of the cable, the frame in front of the pause, the pause
 * itself, the sender's reaction, and the frame it has just begun. Source: IEEE 802.1Q, annex on buffer requirements of priority flow control.
 */
public final class Headroom {
    private static final int MOST = 1 << 30;
    private static final long BITS_PS = 8_000_000_000L;

    private Headroom() {}

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
        long flight = ((2 * delayPs + reactionPs) * kbps + BITS_PS - 1) / BITS_PS;
        return flight + 2L * frameBytes + pauseBytes;
    }

    /**
     * Returns the bytes that a port needs to lose nothing, whatever flows in both directions: those of {@link #bytes}, and the frame whose arrival
     * decides, since this switch counts it as headroom.
     *
     * @param frameBytes largest frame as captured
     */
    public static int needed(CableSpec cable, Framing framing, int frameBytes) {
        int line = framing.lineBytes(frameBytes);
        long bytes = bytes(cable.kbps(), cable.delayPs(), line, framing.lineBytes(PauseFrame.BYTES), 0);
        return (int) Math.min(MOST, bytes + line);
    }
}
