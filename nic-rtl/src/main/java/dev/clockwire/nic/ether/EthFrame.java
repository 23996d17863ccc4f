package dev.clockwire.nic.ether;

import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import java.util.zip.CRC32;

/** An Ethernet frame as it is on the line: destination address first, with its frame check sequence, without preamble. Made to be pooled. */
public final class EthFrame extends Token {
    /** Shortest frame on a line, without the check sequence; shorter ones are padded (IEEE 802.3, clause 4). */
    public static final int SHORTEST = 60;
    /** Bytes of the frame check sequence. */
    public static final int FCS_BYTES = 4;
    /** Bytes of addresses and type. */
    public static final int HEADER_BYTES = 14;

    private static final int DIGEST_BYTES = 42;

    /** The bytes, without the check sequence. */
    public byte[] bytes = new byte[2048];
    /** How many of them. */
    public int length;
    /** The check sequence that the sender has put behind. */
    public int fcs;
    /** The present owner's own mark. */
    public long tag;

    private final CRC32 crc = new CRC32();

    /** Creates an empty frame. */
    public EthFrame() {}

    /** Makes this a frame of so many bytes, which the caller fills in. */
    public void resize(int size) {
        if (size > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size, 2 * bytes.length));
        }
        length = size;
    }

    /** Pads the frame to the shortest length with zeros and puts the check sequence behind, as a transmit MAC does. */
    public void seal() {
        if (length < SHORTEST) {
            Arrays.fill(bytes, length, SHORTEST, (byte) 0);
            length = SHORTEST;
        }
        fcs = check();
    }

    /** Returns the check sequence that belongs to the bytes (CRC-32, IEEE 802.3 clause 3.2.9). */
    public int check() {
        crc.reset();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    @Override
    protected EthFrame copy() {
        EthFrame c = new EthFrame();
        c.resize(length);
        System.arraycopy(bytes, 0, c.bytes, 0, length);
        c.fcs = fcs;
        c.tag = tag;
        c.journey = journey;
        return c;
    }

    @Override
    public long digest() {
        long h = length;
        for (int i = 0; i < Math.min(length, DIGEST_BYTES); i++) {
            h = h * 31 + bytes[i];
        }
        return h;
    }
}
