package dev.clockwire.roce.wire;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;

/** An LLDP frame on a line: the bytes of an {@link LldpFrame}. Bridges do not pass it on; it is in no class and obeys no pause. */
public final class LldpPacket extends ControlFrame {
    private final byte[] bytes;

    /** Creates a frame of bytes as captured, which are copied. */
    public LldpPacket(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** Returns a copy of the bytes as captured, padding included. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public int wireBytes() {
        return bytes.length;
    }

    @Override
    public long destination() {
        return LldpFrame.ADDRESS;
    }

    @Override
    protected Token copy() {
        return new LldpPacket(bytes);
    }

    @Override
    public long digest() {
        long h = bytes.length;
        for (byte b : bytes) {
            h = RandomStream.mix(h) + b;
        }
        return h;
    }
}
