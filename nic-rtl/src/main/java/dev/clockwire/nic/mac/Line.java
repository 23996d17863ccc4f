package dev.clockwire.nic.mac;

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

    /** Returns when the last bit of the packet sent last is at the far end, in ps. */
    long arrival();
}
