package dev.clockwire.nvme.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in bytes, the lowest byte first. */
public final class LittleEndian {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    /** Returns a byte, 0 to 255. */
    public static int get8(byte[] b, int at) {
        return b[at] & 0xFF;
    }

    /** Returns two bytes, 0 to 65535. */
    public static int get16(byte[] b, int at) {
        return (short) SHORT.get(b, at) & 0xFFFF;
    }

    /** Returns four bytes. */
    public static int get32(byte[] b, int at) {
        return (int) INT.get(b, at);
    }

    /** Returns four bytes without a sign. */
    public static long getU32(byte[] b, int at) {
        return get32(b, at) & 0xFFFF_FFFFL;
    }

    /** Returns eight bytes. */
    public static long get64(byte[] b, int at) {
        return (long) LONG.get(b, at);
    }

    /** Writes a byte. */
    public static void put8(byte[] b, int at, int value) {
        b[at] = (byte) value;
    }

    /** Writes two bytes. */
    public static void put16(byte[] b, int at, int value) {
        SHORT.set(b, at, (short) value);
    }

    /** Writes four bytes. */
    public static void put32(byte[] b, int at, int value) {
        INT.set(b, at, value);
    }

    /** Writes eight bytes. */
    public static void put64(byte[] b, int at, long value) {
        LONG.set(b, at, value);
    }
}
