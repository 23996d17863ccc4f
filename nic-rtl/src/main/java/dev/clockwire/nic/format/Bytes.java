package dev.clockwire.nic.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian access to the fields of queue elements. */
final class Bytes {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Bytes() {}

    static int getInt(byte[] b, int at) {
        return (int) INT.get(b, at);
    }

    static void putInt(byte[] b, int at, int value) {
        INT.set(b, at, value);
    }

    static long getLong(byte[] b, int at) {
        return (long) LONG.get(b, at);
    }

    static void putLong(byte[] b, int at, long value) {
        LONG.set(b, at, value);
    }

    static int getShort(byte[] b, int at) {
        return ((b[at] & 0xFF) << 8) | (b[at + 1] & 0xFF);
    }

    static void putShort(byte[] b, int at, int value) {
        b[at] = (byte) (value >>> 8);
        b[at + 1] = (byte) value;
    }
}
