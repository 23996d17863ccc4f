package dev.clockwire.sim.mem;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sparse bytes of one allocation: pages appear when first written, a page never written reads as zeros. Small allocations have small pages: thousands of
 * connections touch the front of a buffer each.
 */
final class PagedBytes implements State {
    static final int SMALL_SHIFT = 12;
    static final int LARGE_SHIFT = 16;
    static final long SMALL_MOST = 16L << 20;
    private static final int LEAF_SHIFT = 10;
    private static final int LEAF = 1 << LEAF_SHIFT;
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long length;
    private final int shift;
    private final int size;
    private final int mask;
    private final byte[][][] leaves;

    PagedBytes(long length) {
        this.length = length;
        shift = length <= SMALL_MOST ? SMALL_SHIFT : LARGE_SHIFT;
        size = 1 << shift;
        mask = size - 1;
        leaves = new byte[Math.toIntExact((length + ((long) size << LEAF_SHIFT) - 1) >>> (shift + LEAF_SHIFT))][][];
    }

    long pageCount() {
        return (length + mask) >>> shift;
    }

    /** Returns a page by number, or null if it was never written. */
    byte @Nullable [] page(long number) {
        byte[][] leaf = leaves[(int) (number >>> LEAF_SHIFT)];
        return leaf == null ? null : leaf[(int) number & (LEAF - 1)];
    }

    /** Returns a page by number and creates it if needed; the last one is only as long as the allocation. */
    byte[] writable(long number) {
        int top = (int) (number >>> LEAF_SHIFT);
        byte[][] leaf = leaves[top];
        if (leaf == null) {
            leaf = new byte[(int) Math.min(LEAF, pageCount() - ((long) top << LEAF_SHIFT))][];
            leaves[top] = leaf;
        }
        int slot = (int) number & (LEAF - 1);
        if (leaf[slot] == null) {
            leaf[slot] = new byte[(int) Math.min(size, length - (number << shift))];
        }
        return leaf[slot];
    }

    void read(long at, byte[] dst, int off, int len) {
        while (len > 0) {
            int in = (int) at & mask;
            int n = Math.min(len, size - in);
            byte[] page = page(at >>> shift);
            if (page == null) {
                Arrays.fill(dst, off, off + n, (byte) 0);
            } else {
                System.arraycopy(page, in, dst, off, n);
            }
            at += n;
            off += n;
            len -= n;
        }
    }

    void write(long at, byte[] src, int off, int len) {
        while (len > 0) {
            int in = (int) at & mask;
            int n = Math.min(len, size - in);
            System.arraycopy(src, off, writable(at >>> shift), in, n);
            at += n;
            off += n;
            len -= n;
        }
    }

    /** Writes the pattern of an extent; zeros never create a page. */
    void fill(long at, long len, int writer, long sequence, long offset) {
        while (len > 0) {
            int in = (int) at & mask;
            int n = (int) Math.min(len, size - in);
            if (writer != 0 || page(at >>> shift) != null) {
                PositionCode.fill(writable(at >>> shift), in, n, writer, sequence, offset);
            }
            at += n;
            offset += n;
            len -= n;
        }
    }

    byte getByte(long at) {
        byte[] page = page(at >>> shift);
        return page == null ? 0 : page[(int) at & mask];
    }

    short getShort(long at) {
        byte[] page = page(at >>> shift);
        int in = (int) at & mask;
        return page != null && in <= size - 2 ? (short) SHORT.get(page, in) : (short) slow(at, 2);
    }

    int getInt(long at) {
        byte[] page = page(at >>> shift);
        int in = (int) at & mask;
        return page != null && in <= size - 4 ? (int) INT.get(page, in) : (int) slow(at, 4);
    }

    long getLong(long at) {
        byte[] page = page(at >>> shift);
        int in = (int) at & mask;
        return page != null && in <= size - 8 ? (long) LONG.get(page, in) : slow(at, 8);
    }

    /** Writes the low {@code width} bytes of {@code x}, little-endian. */
    void put(long at, long x, int width) {
        int in = (int) at & mask;
        if (in > size - width) {
            for (int i = 0; i < width; i++) {
                writable((at + i) >>> shift)[(int) (at + i) & mask] = (byte) (x >>> (i << 3));
            }
            return;
        }
        byte[] page = writable(at >>> shift);
        switch (width) {
            case 1 -> page[in] = (byte) x;
            case 2 -> SHORT.set(page, in, (short) x);
            case 4 -> INT.set(page, in, (int) x);
            default -> LONG.set(page, in, x);
        }
    }

    private long slow(long at, int width) {
        long x = 0;
        for (int i = 0; i < width; i++) {
            x |= (getByte(at + i) & 0xFFL) << (i << 3);
        }
        return x;
    }

    @Override
    public void save(Snapshot out) {
        for (int top = 0; top < leaves.length; top++) {
            for (int slot = 0; leaves[top] != null && slot < leaves[top].length; slot++) {
                byte[] page = leaves[top][slot];
                if (page != null) {
                    out.putLong(((long) top << LEAF_SHIFT) + slot);
                    out.putBytes(page, 0, page.length);
                }
            }
        }
        out.putLong(-1);
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(leaves, null);
        for (long number = in.getLong(); number >= 0; number = in.getLong()) {
            byte[] page = writable(number);
            in.getBytes(page, 0, page.length);
        }
    }
}
