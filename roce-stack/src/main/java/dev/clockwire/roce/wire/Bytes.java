package dev.clockwire.roce.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian fields of a frame. The view handles compile to one load or store each, without bounds arithmetic of our own. */
final class Bytes {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Bytes() {}

    static int get8(byte[] b, int at) {
        return b[at] & 0xFF;
    }

    static int get16(byte[] b, int at) {
        return (short) SHORT.get(b, at) & 0xFFFF;
    }

    static int get24(byte[] b, int at) {
        return (get8(b, at) << 16) | get16(b, at + 1);
    }

    static int get32(byte[] b, int at) {
        return (int) INT.get(b, at);
    }

    static long get48(byte[] b, int at) {
        return ((long) get16(b, at) << 32) | (get32(b, at + 2) & 0xFFFF_FFFFL);
    }

    static long get64(byte[] b, int at) {
        return (long) LONG.get(b, at);
    }

    static void put16(byte[] b, int at, int value) {
        SHORT.set(b, at, (short) value);
    }

    static void put32(byte[] b, int at, int value) {
        INT.set(b, at, value);
    }

    static void put48(byte[] b, int at, long value) {
        put16(b, at, (int) (value >>> 32));
        put32(b, at + 2, (int) value);
    }

    static void put64(byte[] b, int at, long value) {
        LONG.set(b, at, value);
    }
}
