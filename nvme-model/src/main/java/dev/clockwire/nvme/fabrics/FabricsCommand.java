package dev.clockwire.nvme.fabrics;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;

/** Commands of opcode 7Fh, as they lie in a {@link SqEntry}. Their data are by SGL always. */
public final class FabricsCommand {
    /** Type: set a property. */
    public static final int PROPERTY_SET = 0x00;
    /** Type: connect a queue. */
    public static final int CONNECT = 0x01;
    /** Type: get a property. */
    public static final int PROPERTY_GET = 0x04;
    /** Type: disconnect a queue. */
    public static final int DISCONNECT = 0x08;

    private static final int TYPE = 4;
    private static final int ATTRIBUTE = 40;
    private static final int OFFSET = 44;
    private static final int VALUE = 48;
    private static final int FORMAT = 40;
    private static final int QUEUE = 42;
    private static final int SIZE = 44;
    private static final int CONNECT_ATTRIBUTES = 46;
    private static final int KEEP_ALIVE = 48;
    private static final int NO_FLOW_CONTROL = 1 << 2;
    private static final int KEYED_NOTHING = SglDescriptor.KEYED_DATA_BLOCK << 4;

    private FabricsCommand() {}

    /** Returns the type. */
    public static int type(SqEntry e) {
        return LittleEndian.get8(e.bytes(), TYPE);
    }

    private static void begin(SqEntry e, int cid, int type) {
        e.clear().command(Opcodes.FABRICS, cid, 0).flags(SqEntry.SGL, 0);
        LittleEndian.put8(e.bytes(), TYPE, type);
    }

    /**
     * Makes a Property Get.
     *
     * @param bytes 4 or 8
     */
    public static void propertyGet(SqEntry e, int cid, int offset, int bytes) {
        begin(e, cid, PROPERTY_GET);
        LittleEndian.put8(e.bytes(), SqEntry.DATA + 15, KEYED_NOTHING);
        LittleEndian.put8(e.bytes(), ATTRIBUTE, bytes == 8 ? 1 : 0);
        LittleEndian.put32(e.bytes(), OFFSET, offset);
    }

    /**
     * Makes a Property Set.
     *
     * @param bytes 4 or 8
     */
    public static void propertySet(SqEntry e, int cid, int offset, int bytes, long value) {
        propertyGet(e, cid, offset, bytes);
        LittleEndian.put8(e.bytes(), TYPE, PROPERTY_SET);
        LittleEndian.put64(e.bytes(), VALUE, value);
    }

    /** Returns the bytes of a property, 4 or 8; 0 if the command says neither. */
    public static int propertyBytes(SqEntry e) {
        int attribute = LittleEndian.get8(e.bytes(), ATTRIBUTE) & 7;
        return attribute > 1 ? 0 : 4 << attribute;
    }

    /** Returns the offset of a property, that of a register. */
    public static int propertyOffset(SqEntry e) {
        return LittleEndian.get32(e.bytes(), OFFSET);
    }

    /** Returns the value to set. */
    public static long propertyValue(SqEntry e) {
        return LittleEndian.get64(e.bytes(), VALUE);
    }

    /**
     * Makes a Connect; where its data lie is set by the caller.
     *
     * @param entries of the queue, 2 to 65536
     * @param keepAliveMs 0 = none
     */
    public static void connect(SqEntry e, int cid, int queue, int entries, boolean flowControl, int keepAliveMs) {
        begin(e, cid, CONNECT);
        LittleEndian.put16(e.bytes(), QUEUE, queue);
        LittleEndian.put16(e.bytes(), SIZE, entries - 1);
        LittleEndian.put8(e.bytes(), CONNECT_ATTRIBUTES, flowControl ? 0 : NO_FLOW_CONTROL);
        LittleEndian.put32(e.bytes(), KEEP_ALIVE, keepAliveMs);
    }

    /** Returns the format of a Connect; 0 is the only one. */
    public static int format(SqEntry e) {
        return LittleEndian.get16(e.bytes(), FORMAT);
    }

    /** Returns the queue that a Connect is for. */
    public static int queue(SqEntry e) {
        return LittleEndian.get16(e.bytes(), QUEUE);
    }

    /** Returns the entries of the queue that a Connect is for, 1 to 65536; 1 is none. */
    public static int entries(SqEntry e) {
        return LittleEndian.get16(e.bytes(), SIZE) + 1;
    }

    /** Whether a Connect wants the head of the submission queue told. */
    public static boolean flowControl(SqEntry e) {
        return (e.bytes()[CONNECT_ATTRIBUTES] & NO_FLOW_CONTROL) == 0;
    }

    /** Returns the keep-alive time of a Connect in ms; 0 = none. */
    public static long keepAliveMs(SqEntry e) {
        return LittleEndian.getU32(e.bytes(), KEEP_ALIVE);
    }
}
