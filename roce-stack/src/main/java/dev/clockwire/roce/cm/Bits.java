package dev.clockwire.roce.cm;

/** Fields of whole or broken bytes, most significant bit first, as the standard draws them. */
final class Bits {
    private static final int BYTE = 8;

    private final byte[] b;
    private final int off;

    /** Looks at bytes from an offset on. */
    Bits(byte[] b, int off) {
        this.b = b;
        this.off = off;
    }

    /** Returns a field of up to 64 bits; {@code skip} bits of its first byte belong to others. */
    long get(int at, int skip, int width) {
        long value = 0;
        for (int bit = at * BYTE + skip; bit < at * BYTE + skip + width; bit++) {
            value = value << 1 | (b[off + bit / BYTE] >> (BYTE - 1 - bit % BYTE) & 1);
        }
        return value;
    }

    int int8(int at) {
        return (int) get(at, 0, 8);
    }

    int int16(int at) {
        return (int) get(at, 0, 16);
    }

    int int24(int at) {
        return (int) get(at, 0, 24);
    }

    int int32(int at) {
        return (int) get(at, 0, 32);
    }

    long int64(int at) {
        return get(at, 0, 64);
    }

    boolean flag(int at, int skip) {
        return get(at, skip, 1) != 0;
    }

    /** Sets a field that is 0; what does not fit is cut off. */
    void put(int at, int skip, int width, long value) {
        for (int i = 0; i < width; i++) {
            int bit = at * BYTE + skip + i;
            if ((value >> (width - 1 - i) & 1) != 0) {
                b[off + bit / BYTE] |= (byte) (1 << (BYTE - 1 - bit % BYTE));
            }
        }
    }

    void put8(int at, long value) {
        put(at, 0, 8, value);
    }

    void put16(int at, long value) {
        put(at, 0, 16, value);
    }

    void put24(int at, long value) {
        put(at, 0, 24, value);
    }

    void put32(int at, long value) {
        put(at, 0, 32, value);
    }

    void put64(int at, long value) {
        put(at, 0, 64, value);
    }

    void flag(int at, int skip, boolean value) {
        put(at, skip, 1, value ? 1 : 0);
    }

    PrivateData data(int at, int length) {
        return PrivateData.of(b, off + at, length);
    }

    void data(int at, PrivateData data) {
        data.copyTo(b, off + at);
    }
}
