package dev.clockwire.nic.mac;

import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;

/** The outgoing direction of the line, of which one MAC is the only user. */
public interface Line {
    /**
     * Sends a packet when the line is free, but not before a time.
     *
     * @param earliestPs first time its first bit may leave, later than now
     * @return when the first bit leaves, in ps
     */
    long send(long earliestPs, RocePacket packet);

    /**
     * Sends a frame that is no RoCE packet, as {@link #send(long, RocePacket)}.
     *
     * @param frame belongs to the line from now on
     */
    long send(long earliestPs, EthFrame frame);

    /** Sends a pause, as {@link #send(long, RocePacket)}. */
    long send(long earliestPs, PauseFrame frame);

    /** Returns when the last bit of the packet sent last is at the far end, in ps. */
    long arrival();
}
