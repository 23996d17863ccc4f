package dev.clockwire.sim.mem;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sparse bytes of one allocation: pages appear when first written, a page never written reads as zeros. */
final class PagedBytes implements State {
    static final int PAGE_SHIFT = 16;
    static final int PAGE = 1 << PAGE_SHIFT;
    private static final int MASK = PAGE - 1;
    private static final int LEAF_SHIFT = 10;
    private static final int LEAF = 1 << LEAF_SHIFT;
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long length;
    private final byte[][][] leaves;

    PagedBytes(long length) {
        this.length = length;
        leaves =
                new byte[Math.toIntExact((length + ((long) PAGE << LEAF_SHIFT) - 1) >>> (PAGE_SHIFT + LEAF_SHIFT))][][];
    }

    long pageCount() {
        return (length + MASK) >>> PAGE_SHIFT;
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
            leaf[slot] = new byte[(int) Math.min(PAGE, length - (number << PAGE_SHIFT))];
        }
        return leaf[slot];
    }

    void read(long at, byte[] dst, int off, int len) {
        while (len > 0) {
            int in = (int) at & MASK;
            int n = Math.min(len, PAGE - in);
            byte[] page = page(at >>> PAGE_SHIFT);
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
            int in = (int) at & MASK;
            int n = Math.min(len, PAGE - in);
            System.arraycopy(src, off, writable(at >>> PAGE_SHIFT), in, n);
            at += n;
            off += n;
            len -= n;
        }
    }

    /** Writes the pattern of an extent; zeros never create a page. */
    void fill(long at, long len, int writer, long sequence, long offset) {
        while (len > 0) {
            int in = (int) at & MASK;
            int n = (int) Math.min(len, PAGE - in);
            if (writer != 0 || page(at >>> PAGE_SHIFT) != null) {
                PositionCode.fill(writable(at >>> PAGE_SHIFT), in, n, writer, sequence, offset);
            }
            at += n;
            offset += n;
            len -= n;
        }
    }

    byte getByte(long at) {
        byte[] page = page(at >>> PAGE_SHIFT);
        return page == null ? 0 : page[(int) at & MASK];
    }

    short getShort(long at) {
        byte[] page = page(at >>> PAGE_SHIFT);
        int in = (int) at & MASK;
        return page != null && in <= PAGE - 2 ? (short) SHORT.get(page, in) : (short) slow(at, 2);
    }

    int getInt(long at) {
        byte[] page = page(at >>> PAGE_SHIFT);
        int in = (int) at & MASK;
        return page != null && in <= PAGE - 4 ? (int) INT.get(page, in) : (int) slow(at, 4);
    }

    long getLong(long at) {
        byte[] page = page(at >>> PAGE_SHIFT);
        int in = (int) at & MASK;
        return page != null && in <= PAGE - 8 ? (long) LONG.get(page, in) : slow(at, 8);
    }

    /** Writes the low {@code size} bytes of {@code x}, little-endian. */
    void put(long at, long x, int size) {
        int in = (int) at & MASK;
        if (in > PAGE - size) {
            for (int i = 0; i < size; i++) {
                writable((at + i) >>> PAGE_SHIFT)[(int) (at + i) & MASK] = (byte) (x >>> (i << 3));
            }
            return;
        }
        byte[] page = writable(at >>> PAGE_SHIFT);
        switch (size) {
            case 1 -> page[in] = (byte) x;
            case 2 -> SHORT.set(page, in, (short) x);
            case 4 -> INT.set(page, in, (int) x);
            default -> LONG.set(page, in, x);
        }
    }

    private long slow(long at, int size) {
        long x = 0;
        for (int i = 0; i < size; i++) {
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
