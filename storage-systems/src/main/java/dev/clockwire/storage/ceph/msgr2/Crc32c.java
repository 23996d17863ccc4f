package dev.clockwire.storage.ceph.msgr2;

/** CRC-32C as {@code ceph_crc32c}: a register goes in, a register comes out, nothing is inverted. */
final class Crc32c {
    private static final int POLYNOMIAL = 0x82F6_3B78;
    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            int r = i;
            for (int k = 0; k < Byte.SIZE; k++) {
                r = (r & 1) == 0 ? r >>> 1 : r >>> 1 ^ POLYNOMIAL;
            }
            TABLE[i] = r;
        }
    }

    private Crc32c() {}

    static int update(int register, byte[] bytes, int off, int length) {
        int r = register;
        for (int i = off; i < off + length; i++) {
            r = r >>> Byte.SIZE ^ TABLE[(r ^ bytes[i]) & 0xFF];
        }
        return r;
    }
}
