package dev.clockwire.nvme.format;

/** A descriptor of 16 bytes in a scatter gather list. */
public final class SglDescriptor {
    /** Size in bytes. */
    public static final int BYTES = 16;
    /** Type: data at an address. */
    public static final int DATA_BLOCK = 0;
    /** Type: data that are dropped. */
    public static final int BIT_BUCKET = 1;
    /** Type: more descriptors. */
    public static final int SEGMENT = 2;
    /** Type: the last descriptors. */
    public static final int LAST_SEGMENT = 3;
    /** Type: data at an address of somebody's memory, with a key. */
    public static final int KEYED_DATA_BLOCK = 4;
    /** Type: data that the transport has. */
    public static final int TRANSPORT_DATA_BLOCK = 5;
    /** Subtype: an address. */
    public static final int ADDRESS = 0;
    /** Subtype: an offset. */
    public static final int OFFSET = 1;
    /** Subtype of a keyed one: the key is to be invalidated with the answer. */
    public static final int INVALIDATE_KEY = 0xF;

    private static final int LENGTH = 8;
    private static final int KEY = 11;
    private static final int ID = 15;
    private static final int LENGTH_24 = 0xFF_FFFF;

    private SglDescriptor() {}

    /** Writes one without a key. */
    public static void put(byte[] to, int at, int type, int subtype, long address, int length) {
        LittleEndian.put64(to, at, address);
        LittleEndian.put64(to, at + LENGTH, length & 0xFFFF_FFFFL);
        LittleEndian.put8(to, at + ID, type << 4 | subtype);
    }

    /** Writes one with a key; its length has 24 bits. */
    public static void putKeyed(byte[] to, int at, int subtype, long address, int length, int key) {
        LittleEndian.put64(to, at, address);
        LittleEndian.put32(to, at + LENGTH, length & LENGTH_24);
        LittleEndian.put32(to, at + KEY, key);
        LittleEndian.put8(to, at + ID, KEYED_DATA_BLOCK << 4 | subtype);
    }

    /** Returns the address, or the offset. */
    public static long address(byte[] from, int at) {
        return LittleEndian.get64(from, at);
    }

    /** Returns the length of one without a key. */
    public static long length(byte[] from, int at) {
        return LittleEndian.getU32(from, at + LENGTH);
    }

    /** Returns the length of one with a key. */
    public static int keyedLength(byte[] from, int at) {
        return LittleEndian.get32(from, at + LENGTH) & LENGTH_24;
    }

    /** Returns the key of one with a key. */
    public static int key(byte[] from, int at) {
        return LittleEndian.get32(from, at + KEY);
    }

    /** Returns the type. */
    public static int type(byte[] from, int at) {
        return from[at + ID] >> 4 & 0xF;
    }

    /** Returns the subtype. */
    public static int subtype(byte[] from, int at) {
        return from[at + ID] & 0xF;
    }
}
