package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Bytes of a stream by their sequence numbers, as many as a buffer holds. Who uses it knows which of them are there. */
public final class ByteRing implements State {
    private final byte[] bytes;
    private final int mask;

    /** Creates a ring of a power of two of bytes. */
    ByteRing(int capacity) {
        bytes = new byte[capacity];
        mask = capacity - 1;
    }

    /** Returns how many bytes it holds. */
    public int capacity() {
        return bytes.length;
    }

    /** Puts bytes where they belong in the stream. */
    void put(int seq, byte[] from, int off, int length) {
        int at = seq & mask;
        int first = Math.min(length, bytes.length - at);
        System.arraycopy(from, off, bytes, at, first);
        System.arraycopy(from, off + first, bytes, 0, length - first);
    }

    /** Reads bytes of the stream. */
    public void get(int seq, byte[] to, int off, int length) {
        int at = seq & mask;
        int first = Math.min(length, bytes.length - at);
        System.arraycopy(bytes, at, to, off, first);
        System.arraycopy(bytes, 0, to, off + first, length - first);
    }

    @Override
    public void save(Snapshot out) {
        out.putBytes(bytes, 0, bytes.length);
    }

    @Override
    public void load(Snapshot in) {
        in.getBytes(bytes, 0, bytes.length);
    }
}
