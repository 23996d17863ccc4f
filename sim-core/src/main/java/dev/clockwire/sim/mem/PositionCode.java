package dev.clockwire.sim.mem;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The byte pattern that stands for an extent: a byte is a function of (writer, sequence, offset), so loss, duplication
 * and misplacement show in bytes as they show in extents.
 */
public final class PositionCode {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private PositionCode() {}

    /** Returns the byte at an offset of a write; writer 0 stands for memory never written and gives zeros. */
    public static byte at(int writer, long sequence, long offset) {
        return writer == 0 ? 0 : (byte) (word(key(writer, sequence), offset >>> 3) >>> ((offset & 7) << 3));
    }

    /** Fills {@code len} bytes of {@code dst} from {@code pos} with the pattern of the write from {@code offset} on. */
    public static void fill(byte[] dst, int pos, int len, int writer, long sequence, long offset) {
        long key = key(writer, sequence);
        if (writer == 0) {
            Arrays.fill(dst, pos, pos + len, (byte) 0);
            return;
        }
        int i = 0;
        while (i < len) {
            long at = offset + i;
            if ((at & 7) == 0 && len - i >= Long.BYTES) {
                LONG.set(dst, pos + i, word(key, at >>> 3));
                i += Long.BYTES;
            } else {
                dst[pos + i] = (byte) (word(key, at >>> 3) >>> ((at & 7) << 3));
                i++;
            }
        }
    }

    private static long key(int writer, long sequence) {
        return mix(mix(writer) + sequence);
    }

    private static long word(long key, long index) {
        return mix(key + index * 0x9E3779B97F4A7C15L);
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every input bit. */
    static long mix(long x) {
        long z = x + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
