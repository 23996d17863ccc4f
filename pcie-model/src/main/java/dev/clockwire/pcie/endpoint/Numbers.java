package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** A short list of numbers in the order in which they came. */
final class Numbers implements State {
    private long[] all = new long[8];
    private int size;

    void add(long x) {
        if (size == all.length) {
            all = Arrays.copyOf(all, 2 * size);
        }
        all[size++] = x;
    }

    int size() {
        return size;
    }

    long get(int i) {
        return all[i];
    }

    void set(int i, long x) {
        all[i] = x;
    }

    /** Returns the place of a number, -1 if it is not there. */
    int indexOf(long x) {
        for (int i = 0; i < size; i++) {
            if (all[i] == x) {
                return i;
            }
        }
        return -1;
    }

    void remove(int i) {
        System.arraycopy(all, i + 1, all, i, --size - i);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            out.putLong(all[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        size = in.getInt();
        all = Arrays.copyOf(all, Math.max(all.length, size));
        for (int i = 0; i < size; i++) {
            all[i] = in.getLong();
        }
    }
}
