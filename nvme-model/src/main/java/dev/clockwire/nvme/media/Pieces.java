package dev.clockwire.nvme.media;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Pieces that wait for the link, by the time at which their units are done with them, those of one time in the order they were begun: a binary heap in arrays. */
final class Pieces implements State {
    private static final int FIRST = 4;

    private long[] ready = new long[FIRST];
    private int[] order = new int[FIRST];
    private int[] tag = new int[FIRST];
    private int[] bytes = new int[FIRST];
    private int size;
    private int next;

    /** Adds a piece; returns its place among those of one time. */
    int add(long at, int ofTag, int n) {
        if (size == ready.length) {
            room(2 * size);
        }
        int mine = next++;
        int i = size++;
        while (i > 0 && before(at, mine, (i - 1) >> 1)) {
            move(i, (i - 1) >> 1);
            i = (i - 1) >> 1;
        }
        set(i, at, mine, ofTag, n);
        return mine;
    }

    private void room(int n) {
        ready = Arrays.copyOf(ready, n);
        order = Arrays.copyOf(order, n);
        tag = Arrays.copyOf(tag, n);
        bytes = Arrays.copyOf(bytes, n);
    }

    private boolean before(long at, int mine, int i) {
        return at < ready[i] || (at == ready[i] && mine - order[i] < 0);
    }

    private void move(int to, int from) {
        set(to, ready[from], order[from], tag[from], bytes[from]);
    }

    private void set(int i, long at, int mine, int ofTag, int n) {
        ready[i] = at;
        order[i] = mine;
        tag[i] = ofTag;
        bytes[i] = n;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns when the first is ready. */
    long firstReady() {
        return ready[0];
    }

    /** Returns the place of the first among those of one time; less than another's if it was begun before it. */
    int firstOrder() {
        return order[0];
    }

    /** Returns the command that the first is part of. */
    int firstTag() {
        return tag[0];
    }

    /** Returns the bytes of the first. */
    int firstBytes() {
        return bytes[0];
    }

    /** Takes the first away. */
    void remove() {
        size--;
        long at = ready[size];
        int mine = order[size];
        int ofTag = tag[size];
        int n = bytes[size];
        int i = 0;
        for (int child = 1; child < size; child = 2 * i + 1) {
            if (child + 1 < size && before(ready[child + 1], order[child + 1], child)) {
                child++;
            }
            if (!before(ready[child], order[child], at, mine)) {
                break;
            }
            move(i, child);
            i = child;
        }
        set(i, at, mine, ofTag, n);
    }

    private static boolean before(long at, int mine, long otherAt, int other) {
        return at < otherAt || (at == otherAt && mine - other < 0);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        out.putInt(next);
        for (int i = 0; i < size; i++) {
            out.putLong(ready[i]);
            out.putInt(order[i]);
            out.putInt(tag[i]);
            out.putInt(bytes[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        size = in.getInt();
        next = in.getInt();
        if (size > ready.length) {
            room(size);
        }
        for (int i = 0; i < size; i++) {
            set(i, in.getLong(), in.getInt(), in.getInt(), in.getInt());
        }
    }
}
