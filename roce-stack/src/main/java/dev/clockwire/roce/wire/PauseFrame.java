package dev.clockwire.roce.wire;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;

/**
 * A MAC control frame that holds the far end: priority flow control (IEEE 802.1Qbb, opcode 0x0101) with a time for each of eight classes,
 * or the older pause of the whole link (IEEE 802.3x, opcode 0x0001). Times are quanta of 512 bit times; 0 lets go.
 */
public final class PauseFrame extends ControlFrame {
    /** Where every pause goes: a switch never passes it on. */
    public static final long ADDRESS = 0x0180_C200_0001L;

    /** Bytes of the frame as captured, padding included. */
    public static final int BYTES = 60;

    /** Number of classes. */
    public static final int CLASSES = 8;

    /** The longest pause in quanta. */
    public static final int MAX_QUANTA = 0xFFFF;

    /** Bit times of a quantum. */
    public static final int QUANTUM_BITS = 512;

    private static final int ETHERTYPE = 0x8808;
    private static final int OPCODE_PFC = 0x0101;
    private static final int OPCODE_PAUSE = 0x0001;
    private static final int VECTOR_AT = 16;
    private static final int TIMES_AT = 18;

    /** MAC address of the sender, 48 bits. */
    public long source;
    /** Bit n: class n is spoken of. Bits beyond 7 are 0. */
    public int classes;
    /** The pause of the whole link: {@code quanta[0]} holds for all classes. */
    public boolean wholeLink;
    /** Quanta of each class that is spoken of. */
    public final int[] quanta = new int[CLASSES];

    /** Creates a frame that speaks of no class. */
    public PauseFrame() {}

    /** Makes this a frame that speaks of no class. */
    public void reset() {
        journey = 0;
        source = 0;
        classes = 0;
        wholeLink = false;
        java.util.Arrays.fill(quanta, 0);
    }

    /** Speaks of a class. */
    public void set(int priority, int time) {
        classes |= 1 << priority;
        quanta[priority] = time;
    }

    /** Returns the quanta of a class, -1 if the frame does not speak of it. */
    public int of(int priority) {
        if (wholeLink) {
            return quanta[0];
        }
        return (classes >> priority & 1) == 0 ? -1 : quanta[priority];
    }

    /** Writes the frame's {@link #BYTES} bytes. */
    public void encode(byte[] out, int at) {
        java.util.Arrays.fill(out, at, at + BYTES, (byte) 0);
        Bytes.put48(out, at, ADDRESS);
        Bytes.put48(out, at + 6, source);
        Bytes.put16(out, at + 12, ETHERTYPE);
        Bytes.put16(out, at + 14, wholeLink ? OPCODE_PAUSE : OPCODE_PFC);
        if (wholeLink) {
            Bytes.put16(out, at + VECTOR_AT, quanta[0]);
            return;
        }
        Bytes.put16(out, at + VECTOR_AT, classes);
        for (int i = 0; i < CLASSES; i++) {
            Bytes.put16(out, at + TIMES_AT + 2 * i, of(i) < 0 ? 0 : quanta[i]);
        }
    }

    /** Reads a frame; returns false, and leaves this as it was, if the bytes are no pause. */
    public boolean decode(byte[] in, int at, int length) {
        if (length < TIMES_AT || Bytes.get48(in, at) != ADDRESS || Bytes.get16(in, at + 12) != ETHERTYPE) {
            return false;
        }
        int opcode = Bytes.get16(in, at + 14);
        boolean priority = opcode == OPCODE_PFC;
        if ((!priority && opcode != OPCODE_PAUSE) || (priority && length < TIMES_AT + 2 * CLASSES)) {
            return false;
        }
        reset();
        source = Bytes.get48(in, at + 6);
        wholeLink = !priority;
        if (wholeLink) {
            quanta[0] = Bytes.get16(in, at + VECTOR_AT);
            return true;
        }
        classes = Bytes.get16(in, at + VECTOR_AT) & 0xFF;
        for (int i = 0; i < CLASSES; i++) {
            quanta[i] = of(i) < 0 ? 0 : Bytes.get16(in, at + TIMES_AT + 2 * i);
        }
        return true;
    }

    @Override
    public int wireBytes() {
        return BYTES;
    }

    @Override
    public long destination() {
        return ADDRESS;
    }

    @Override
    protected Token copy() {
        PauseFrame c = new PauseFrame();
        c.source = source;
        c.classes = classes;
        c.wholeLink = wholeLink;
        System.arraycopy(quanta, 0, c.quanta, 0, CLASSES);
        return c;
    }

    @Override
    public long digest() {
        long h = source ^ (long) classes << 48 ^ (wholeLink ? 1L << 60 : 0);
        for (int q : quanta) {
            h = RandomStream.mix(h) + q;
        }
        return h;
    }
}
