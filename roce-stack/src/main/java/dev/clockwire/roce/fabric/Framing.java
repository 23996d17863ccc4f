package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.RocePacket;

/** What a frame costs on the line besides its own bytes. */
public enum Framing {
    /**
     * Ethernet: preamble and delimiter 8, frame padded to 60, frame check sequence 4, gap 12 bytes. A RoCEv2 packet over IPv4
     * without extended headers and payload so takes 82 bytes of line time besides its payload. Source: IEEE 802.3, clause 4.
     */
    ETHERNET(24, 12, 60),
    /**
     * InfiniBand within a subnet: local route header 8, variant CRC 2, start and end of packet 1 each; the Ethernet, IP and UDP
     * headers do not exist on the line. Source: InfiniBand Architecture volume 1, chapter 6, and volume 2.
     */
    INFINIBAND(12, 0, 0),
    /** Nothing but the frame itself, as simulators count that leave preamble, check sequence and gap out. */
    BARE(0, 0, 0);

    private static final int FCS_BYTES = 4;

    private final int overhead;
    private final int gap;
    private final int shortest;

    Framing(int overhead, int gap, int shortest) {
        this.overhead = overhead;
        this.gap = gap;
        this.shortest = shortest;
    }

    /** Returns the bytes of line time between a frame's last bit and the next frame's first. */
    public int gapBytes() {
        return gap;
    }

    /**
     * Returns the bytes of line time of a frame, its gap included.
     *
     * @param frameBytes bytes of the frame as captured: without preamble, padding and frame check sequence
     */
    public int lineBytes(int frameBytes) {
        return Math.max(shortest, frameBytes) + overhead;
    }

    /** Returns the bytes that a frame occupies in a switch: its own, padded, and its check sequence. */
    public int bufferBytes(int frameBytes) {
        return this == ETHERNET ? Math.max(shortest, frameBytes) + FCS_BYTES : frameBytes;
    }

    /** Returns the bytes of line time of a RoCE packet, its gap included. */
    public int lineBytes(RocePacket packet) {
        return lineBytes(this == ETHERNET ? packet.wireBytes() : packet.transportBytes());
    }
}
