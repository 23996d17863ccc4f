package dev.clockwire.nic.format;

import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import java.util.Arrays;

/** Writes a send WQE into a byte array, segment after segment: {@link #begin}, the segments, {@link #finish}. */
public final class WqeWriter {
    private final byte[] out = new byte[Wqe.MAX_BYTES];
    private int at;

    /** Creates a writer; it is reused for every WQE of a queue. */
    public WqeWriter() {}

    /**
     * Starts a WQE.
     *
     * @param opcode see {@link WqeOpcode}
     * @param index block index of the WQE in its queue, 16 bits are used
     * @param qpn queue pair, 24 bits
     * @param imm immediate data or key to invalidate
     */
    public void begin(int opcode, int index, int qpn, boolean signaled, boolean solicited, boolean fence, int imm) {
        Arrays.fill(out, 0, at, (byte) 0);
        out[3] = (byte) opcode;
        Bytes.putShort(out, 1, index);
        Bytes.putInt(out, 4, qpn << 8);
        out[11] = (byte) ((fence ? 4 << 5 : 0) | (signaled ? 2 << 2 : 0) | (solicited ? 2 : 0));
        Bytes.putInt(out, 12, imm);
        at = 16;
    }

    /** Adds the datagram segment: where the packet goes. */
    public void datagram(int qkey, int destQp, FlowAddress to) {
        Bytes.putInt(out, at, qkey);
        Bytes.putInt(out, at + 8, destQp | 0x80000000);
        Bytes.putShort(out, at + 14, to.udpSourcePort);
        Bytes.putShort(out, at + 20, (int) (to.dstMac >>> 32));
        Bytes.putInt(out, at + 22, (int) to.dstMac);
        out[at + 26] = (byte) to.trafficClass();
        out[at + 27] = (byte) to.hopLimit;
        Bytes.putInt(out, at + 28, 1 << 30 | (to.encapsulation == Encapsulation.IPV6 ? 1 << 20 : 0) | to.flowLabel);
        Bytes.putLong(out, at + 32, to.dstHi);
        Bytes.putLong(out, at + 40, to.dstLo);
        at += 48;
    }

    /** Adds the remote address segment. */
    public void remoteAddress(long va, int rkey) {
        Bytes.putLong(out, at, va);
        Bytes.putInt(out, at + 8, rkey);
        at += 16;
    }

    /** Adds the window segment: what a window opens. */
    public void window(int key, int lkey, long va, long length, int access) {
        Bytes.putInt(out, at, key);
        Bytes.putInt(out, at + 4, lkey);
        Bytes.putLong(out, at + 8, va);
        Bytes.putLong(out, at + 16, length);
        Bytes.putInt(out, at + 24, access);
        at += 32;
    }

    /** Adds the wait segment: a queue, and the counter of it that is waited for or released, of which 32 bits are used. */
    public void waitFor(int number, long index) {
        Bytes.putInt(out, at + 8, (int) index);
        Bytes.putInt(out, at + 12, number);
        at += 16;
    }

    /** Adds the atomic segment. */
    public void atomic(long swapAdd, long compare) {
        Bytes.putLong(out, at, swapAdd);
        Bytes.putLong(out, at + 8, compare);
        at += 16;
    }

    /** Adds a data segment of 1 to 2^31 bytes. */
    public void data(long va, long length, int lkey) {
        Bytes.putInt(out, at, Wqe.count(length));
        Bytes.putInt(out, at + 4, lkey);
        Bytes.putLong(out, at + 8, va);
        at += 16;
    }

    /** Starts the inline segment of the given length; the caller then fills {@link #bytes()} from the returned offset. */
    public int inline(int length) {
        Bytes.putInt(out, at, length | 0x80000000);
        int data = at + 4;
        at += 4 + length + 15 & ~15;
        return data;
    }

    /** Sets the length field and returns the size in bytes, a multiple of 16. */
    public int finish() {
        out[7] = (byte) (at / 16);
        return at;
    }

    /** Returns the buffer, which holds the WQE from offset 0 on. */
    public byte[] bytes() {
        return out;
    }
}
