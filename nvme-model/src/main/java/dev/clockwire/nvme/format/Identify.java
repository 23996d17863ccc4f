package dev.clockwire.nvme.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The pages that Identify returns, of 4096 bytes each. */
public final class Identify {
    /** Bytes of a page. */
    public static final int BYTES = 4096;
    /** CNS: a namespace. */
    public static final int NAMESPACE = 0;
    /** CNS: the controller. */
    public static final int CONTROLLER = 1;
    /** CNS: active namespaces above a number. */
    public static final int ACTIVE_LIST = 2;
    /** CNS: identification descriptors of a namespace. */
    public static final int DESCRIPTORS = 3;

    private static final int SERIAL_BYTES = 20;
    private static final int MODEL_BYTES = 40;
    private static final int FIRMWARE_BYTES = 8;

    private Identify() {}

    /**
     * What a controller says of itself.
     *
     * @param mdts largest transfer as a power of two of pages, 0 = any
     * @param aborts that it takes at a time
     * @param events asynchronous event requests that it takes at a time
     * @param namespaces largest number of a namespace
     * @param writeCache whether it has a volatile one
     * @param sgl what it says of scatter gather lists
     */
    public record Controller(
            int vendor,
            String serial,
            String model,
            String firmware,
            int mdts,
            int id,
            int aborts,
            int events,
            int namespaces,
            boolean writeCache,
            int sgl,
            String nqn) {
        /** Returns the page. */
        public byte[] page() {
            byte[] b = new byte[BYTES];
            LittleEndian.put16(b, 0, vendor);
            LittleEndian.put16(b, 2, vendor);
            text(b, 4, SERIAL_BYTES, serial);
            text(b, 24, MODEL_BYTES, model);
            text(b, 64, FIRMWARE_BYTES, firmware);
            LittleEndian.put8(b, 77, mdts);
            LittleEndian.put16(b, 78, id);
            LittleEndian.put32(b, 80, 0x0001_0400); // version 1.4
            LittleEndian.put32(b, 92, 1 << 8); // changed namespaces are told
            LittleEndian.put8(b, 111, 1); // an I/O controller
            LittleEndian.put8(b, 258, aborts - 1);
            LittleEndian.put8(b, 259, events - 1);
            LittleEndian.put8(b, 260, 3); // one firmware slot, read only
            LittleEndian.put8(b, 261, 2); // the effects log
            LittleEndian.put16(b, 266, 343); // 70 degrees C
            LittleEndian.put16(b, 268, 353);
            LittleEndian.put8(b, 512, 0x66);
            LittleEndian.put8(b, 513, 0x44);
            LittleEndian.put32(b, 516, namespaces);
            LittleEndian.put16(b, 520, 0x8D); // compare, DSM, write zeroes, verify
            LittleEndian.put8(b, 525, writeCache ? 1 : 0);
            LittleEndian.put32(b, 536, sgl);
            byte[] name = nqn.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(name, 0, b, 768, Math.min(name.length, 223));
            return b;
        }
    }

    /** Returns what a namespace says of itself. */
    public static byte[] namespace(int blockBytes, long blocks, long guid) {
        byte[] b = new byte[BYTES];
        LittleEndian.put64(b, 0, blocks);
        LittleEndian.put64(b, 8, blocks);
        LittleEndian.put64(b, 16, blocks);
        LittleEndian.put8(b, 33, 1); // deallocated blocks read as zeros
        LittleEndian.put64(b, 104, guid);
        LittleEndian.put64(b, 120, guid);
        LittleEndian.put8(b, 128 + 2, Integer.numberOfTrailingZeros(blockBytes));
        return b;
    }

    /** Returns the list of namespaces above a number, of those from 1 to a last one. */
    public static byte[] activeList(int above, int last) {
        byte[] b = new byte[BYTES];
        int at = 0;
        for (int nsid = above + 1; nsid <= last && at < BYTES; nsid++) {
            LittleEndian.put32(b, at, nsid);
            at += 4;
        }
        return b;
    }

    /** Returns the descriptors of a namespace: its EUI-64. */
    public static byte[] descriptors(long guid) {
        byte[] b = new byte[BYTES];
        LittleEndian.put8(b, 0, 1);
        LittleEndian.put8(b, 1, 8);
        LittleEndian.put64(b, 4, guid);
        return b;
    }

    private static void text(byte[] b, int at, int length, String text) {
        Arrays.fill(b, at, at + length, (byte) ' ');
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, b, at, Math.min(length, ascii.length));
    }
}
