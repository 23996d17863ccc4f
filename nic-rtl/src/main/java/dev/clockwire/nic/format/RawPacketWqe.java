package dev.clockwire.nic.format;

/**
 * The send WQE of a raw packet queue, one block of 64 B (mlx5): control segment 16 B; Ethernet segment, whose bytes 12-13 say how many bytes of
 * the frame stand inline behind them, here 18 at most; data segment with the rest of the frame.
 */
public final class RawPacketWqe {
    /** Size in bytes. */
    public static final int BYTES = 64;
    /** Bytes of the frame that the WQE itself holds. */
    public static final int INLINE = 18;

    /** Flag of the device's checksums: that of the IPv4 header. */
    public static final int L3_CHECKSUM = 1 << 6;
    /** Flag of the device's checksums: that of TCP or UDP. */
    public static final int L4_CHECKSUM = 1 << 7;

    private static final int CHECKSUMS = 20;
    private static final int SIZE = 28;
    private static final int HEADERS = 30;
    private static final int DATA = 48;
    private static final int SEGMENTS = 4;

    /** The bytes from the ring. */
    public final byte[] raw = new byte[BYTES];
    /** The inline bytes. */
    public final byte[] inline = new byte[INLINE];
    /** How many of them. */
    public int inlineBytes;
    /** Bytes of the data segment, 0 without one. */
    public int dataBytes;
    /** Address of the data segment. */
    public long dataAddress;
    /** Checksums that the device is to make: {@link #L3_CHECKSUM}, {@link #L4_CHECKSUM}. */
    public int checksums;

    /** Creates an empty WQE. */
    public RawPacketWqe() {}

    /** Reads the fields; returns whether they make sense: a frame of at least its addresses and type, and at most so many bytes. */
    public boolean parse(int longest) {
        int segments = raw[7] & 0x3F;
        checksums = raw[CHECKSUMS] & (L3_CHECKSUM | L4_CHECKSUM);
        inlineBytes = Bytes.getShort(raw, SIZE);
        dataBytes = segments == SEGMENTS ? Bytes.getInt(raw, DATA) : 0;
        dataAddress = Bytes.getLong(raw, DATA + 8);
        if ((raw[3] & 0xFF) != WqeOpcode.SEND || inlineBytes > INLINE || segments > SEGMENTS || dataBytes < 0) {
            return false;
        }
        System.arraycopy(raw, HEADERS, inline, 0, inlineBytes);
        long bytes = (long) inlineBytes + dataBytes;
        return bytes >= 14 && bytes <= longest;
    }

    /** Asks in a WQE that was written for checksums: {@link #L3_CHECKSUM}, {@link #L4_CHECKSUM}. */
    public void ask(int flags) {
        raw[CHECKSUMS] = (byte) flags;
    }

    /**
     * Writes a WQE.
     *
     * @param index of the WQE, 16 bits are used
     * @param sqn number of the queue
     * @param head first bytes of the frame, which stand inline
     * @param inlined how many, at most {@value #INLINE}
     * @param bytes of the data segment; 0: there is none
     * @param address of the data segment
     */
    public void write(int index, int sqn, byte[] head, int inlined, int bytes, long address) {
        java.util.Arrays.fill(raw, (byte) 0);
        raw[3] = (byte) WqeOpcode.SEND;
        Bytes.putShort(raw, 1, index);
        Bytes.putInt(raw, 4, sqn << 8);
        raw[7] = (byte) (bytes > 0 ? SEGMENTS : SEGMENTS - 1);
        raw[11] = 2 << 2;
        Bytes.putShort(raw, SIZE, inlined);
        System.arraycopy(head, 0, raw, HEADERS, inlined);
        Bytes.putInt(raw, DATA, bytes);
        Bytes.putLong(raw, DATA + 8, address);
    }
}
