package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.state.Token;

/** A store of the host into a window of the device: one memory write packet. */
public final class MmioWrite extends Token {
    /** Largest write, one write-combining buffer. */
    public static final int MAX_BYTES = 64;

    /** Number of the window. */
    public int bar;
    /** Offset of the first byte in the window. */
    public long offset;
    /** Bytes written, 1 to {@link #MAX_BYTES}. */
    public int length;
    /** The bytes, from index 0 on. */
    public final byte[] data = new byte[MAX_BYTES];
    /** When the packet was in the device, in ps. */
    public long arrivedPs;

    /** Creates an empty write. */
    public MmioWrite() {}

    /** Returns up to eight bytes from a position on as a little-endian number. */
    public long value(int at, int size) {
        long x = 0;
        for (int i = size - 1; i >= 0; i--) {
            x = x << 8 | (data[at + i] & 0xff);
        }
        return x;
    }

    @Override
    protected Token copy() {
        MmioWrite w = new MmioWrite();
        w.bar = bar;
        w.offset = offset;
        w.length = length;
        System.arraycopy(data, 0, w.data, 0, length);
        w.arrivedPs = arrivedPs;
        return w;
    }

    @Override
    public long digest() {
        return (offset * 31 + length) * 31 + bar;
    }
}
