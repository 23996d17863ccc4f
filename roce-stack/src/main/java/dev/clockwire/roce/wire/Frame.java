package dev.clockwire.roce.wire;

import dev.clockwire.sim.state.Token;

/** A frame as a switch sees it: where it goes, which class it is in, how long it is, and its mark of congestion. */
public abstract class Frame extends Token {
    /** Creates a frame that is not followed. */
    protected Frame() {}

    /** Returns the bytes of the frame as captured: without preamble, padding and frame check sequence. */
    public abstract int wireBytes();

    /** Returns the bytes of it that are payload of a message, for statistics. */
    public abstract int payloadBytes();

    /** Returns the destination MAC address, 48 bits. */
    public abstract long destination();

    /** Returns what equal-cost routes are chosen by: equal for all frames of a flow, in 32 well-mixed bits. */
    public abstract int flowHash();

    /** Returns the differentiated services code point, 0 to 63. */
    public abstract int dscp();

    /** Returns the priority of the VLAN tag, 0 to 7, -1 without a tag. */
    public abstract int pcp();

    /** Returns the UDP port that it goes to, 0 if it is none of UDP. */
    public int udpPort() {
        return 0;
    }

    /** Whether its sender understands marks: a frame that is not capable is never marked. */
    public abstract boolean ecnCapable();

    /** Marks the frame: congestion experienced. */
    public abstract void markCongestion();
}
