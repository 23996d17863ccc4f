package dev.clockwire.storage.daos.ofi;

import dev.clockwire.nvme.format.LittleEndian;

/** What stands in front of every segment: tag, whether it is announced, length of the message, where the segment belongs. */
public final class RxmHeader {
    /** Bytes that a message leaves free in front. */
    public static final int BYTES = 24;

    private static final int KIND = 8;
    private static final int TOTAL = 12;
    private static final int AT = 16;

    private RxmHeader() {}

    static void put(byte[] b, long tag, boolean expected, int total, int at) {
        LittleEndian.put64(b, 0, tag);
        LittleEndian.put32(b, KIND, expected ? 1 : 0);
        LittleEndian.put32(b, TOTAL, total);
        LittleEndian.put32(b, AT, at);
    }

    static long tag(byte[] b) {
        return LittleEndian.get64(b, 0);
    }

    static boolean isExpected(byte[] b) {
        return LittleEndian.get32(b, KIND) == 1;
    }

    static int total(byte[] b) {
        return LittleEndian.get32(b, TOTAL);
    }

    static int at(byte[] b) {
        return LittleEndian.get32(b, AT);
    }
}
