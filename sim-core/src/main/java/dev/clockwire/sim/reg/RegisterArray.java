package dev.clockwire.sim.reg;

import dev.clockwire.sim.state.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Many 32-bit registers of one kind at equal distances, such as one for each queue pair. They share the fields of one element; what
 * each holds costs no memory before somebody changes one.
 */
public final class RegisterArray {
    /** Called back after software has written an element. */
    @FunctionalInterface
    public interface Written {
        /** Tells which element was written, and what it holds now. */
        void written(int index, long value);
    }

    private final RegisterBank bank;
    private final Register element;
    private final int stride;
    private final int count;
    private int @Nullable [] values;
    private @Nullable Written action;

    RegisterArray(RegisterBank bank, Register element, int stride, int count) {
        this.bank = bank;
        this.element = element;
        this.stride = stride;
        this.count = count;
    }

    /** Returns the element whose fields all have; fields are declared there, and only there. */
    public Register element() {
        return element;
    }

    /** Returns the bytes from one element to the next. */
    public int stride() {
        return stride;
    }

    /** Returns the number of elements. */
    public int count() {
        return count;
    }

    /** Calls back after each write by software. */
    public RegisterArray onWrite(Written written) {
        action = written;
        return this;
    }

    /** Returns what an element holds, as the hardware side sees it. */
    public long get(int index) {
        int[] v = values;
        return v == null ? element.resetValue() : v[index] & 0xFFFF_FFFFL;
    }

    /** Sets an element from the hardware side. */
    public void set(int index, long value) {
        int[] v = values;
        if (v == null) {
            v = new int[count];
            Arrays.fill(v, (int) element.resetValue());
            values = v;
        }
        v[index] = (int) value;
    }

    /** Returns the index of the element at an offset, -1 if there is none. */
    int index(long offset) {
        long at = offset - element.offset();
        return at >= 0 && at % stride == 0 && at / stride < count ? (int) (at / stride) : -1;
    }

    /** Returns whether two arrays share a place; with other distances it is enough that their ranges meet. */
    boolean mayMeet(RegisterArray other) {
        long from = element.offset();
        long otherFrom = other.element.offset();
        boolean meet =
                from <= otherFrom + (other.count - 1L) * other.stride && otherFrom <= from + (count - 1L) * stride;
        return meet && (stride != other.stride || (from - otherFrom) % stride == 0);
    }

    long read(int index) {
        element.load(get(index));
        long x = element.readValue();
        element.afterRead();
        return x;
    }

    void write(int index, long value, long mask) {
        element.load(get(index));
        element.write(value, mask);
        set(index, element.stored());
        if (action != null) {
            action.written(index, get(index));
        }
    }

    void reset() {
        values = null;
    }

    String place() {
        return String.format("0x%x + 0x%x n, n < %d", element.offset(), stride, count);
    }

    void save(Snapshot out) {
        int[] v = values;
        out.putBoolean(v != null);
        for (int i = 0; v != null && i < count; i++) {
            out.putInt(v[i]);
        }
    }

    void load(Snapshot in) {
        values = null;
        if (in.getBoolean()) {
            for (int i = 0; i < count; i++) {
                set(i, in.getInt());
            }
        }
    }

    @Override
    public String toString() {
        return bank.path() + "." + element.name();
    }
}
