package dev.clockwire.bench.replay;

/** Numbers as hosts keep them in memory. */
final class LittleEndian {
    private LittleEndian() {}

    static byte[] bytes(long value) {
        byte[] bytes = new byte[Long.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (value >>> (8 * i));
        }
        return bytes;
    }

    static long get(byte[] bytes) {
        long value = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            value = value << 8 | (bytes[i] & 0xFF);
        }
        return value;
    }
}
