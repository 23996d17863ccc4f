package dev.clockwire.sim.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A protobuf message in the making: the wire format of fields, as the encoding guide of Protocol Buffers describes it. */
final class ProtoBuffer {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;

    private byte[] buffer = new byte[256];
    private int length;

    void clear() {
        length = 0;
    }

    void varint(int field, long x) {
        raw((long) field << 3 | VARINT);
        raw(x);
    }

    void fixed64(int field, long x) {
        raw((long) field << 3 | FIXED64);
        for (int i = 0; i < Long.SIZE; i += Byte.SIZE) {
            put((byte) (x >>> i));
        }
    }

    void number(int field, double x) {
        fixed64(field, Double.doubleToLongBits(x));
    }

    void string(int field, String x) {
        byte[] utf8 = x.getBytes(StandardCharsets.UTF_8);
        bytes(field, utf8, utf8.length);
    }

    void message(int field, ProtoBuffer inner) {
        bytes(field, inner.buffer, inner.length);
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(buffer, 0, length);
    }

    private void bytes(int field, byte[] x, int n) {
        raw((long) field << 3 | BYTES);
        raw(n);
        while (buffer.length - length < n) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        System.arraycopy(x, 0, buffer, length, n);
        length += n;
    }

    private void raw(long x) {
        long rest = x;
        while ((rest & ~0x7FL) != 0) {
            put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        put((byte) rest);
    }

    private void put(byte b) {
        if (length == buffer.length) {
            buffer = Arrays.copyOf(buffer, length * 2);
        }
        buffer[length++] = b;
    }
}
