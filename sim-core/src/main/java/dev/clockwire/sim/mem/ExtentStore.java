package dev.clockwire.sim.mem;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The extents of one bulk allocation. They are kept per window, so that a disk image with a million separate writes is
 * not one long array to shift.
 */
final class ExtentStore implements State {
    private static final int SMALLEST_WINDOW_SHIFT = 20;
    private static final int MOST_WINDOWS = 1 << 16;
    private static final int LEAF_SHIFT = 8;
    private static final int LEAF = 1 << LEAF_SHIFT;

    private final int shift;
    /** Windows by number, in leaves that appear when first written: a disk image is mostly empty. */
    private final ExtentMap[][] leaves;

    ExtentStore(long length) {
        int s = SMALLEST_WINDOW_SHIFT;
        while (((length - 1) >>> s) >= MOST_WINDOWS) {
            s++;
        }
        shift = s;
        leaves = new ExtentMap[((int) ((length - 1) >>> s) >>> LEAF_SHIFT) + 1][];
    }

    @Nullable
    ExtentMap window(int i) {
        ExtentMap[] leaf = leaves[i >>> LEAF_SHIFT];
        return leaf == null ? null : leaf[i & (LEAF - 1)];
    }

    private ExtentMap create(int i) {
        int top = i >>> LEAF_SHIFT;
        if (leaves[top] == null) {
            leaves[top] = new ExtentMap[LEAF];
        }
        ExtentMap made = new ExtentMap();
        leaves[top][i & (LEAF - 1)] = made;
        return made;
    }

    void put(long at, long len, int writer, long sequence, long offset) {
        while (len > 0) {
            int w = (int) (at >>> shift);
            long n = Math.min(len, (((long) w + 1) << shift) - at);
            ExtentMap map = window(w);
            if (map == null && writer != 0) {
                map = create(w);
            }
            if (map != null) {
                map.put(at, n, writer, sequence, offset);
            }
            at += n;
            len -= n;
            offset += n;
        }
    }

    /** Appends the content of a range; ranges that hold bytes are taken from {@code bytes}. */
    void read(long at, int len, Payload into, @Nullable PagedBytes bytes) {
        long end = at + len;
        while (at < end) {
            int w = (int) (at >>> shift);
            long stop = Math.min(end, ((long) w + 1) << shift);
            ExtentMap map = window(w);
            if (map == null) {
                into.appendExtent(0, 0, 0, (int) (stop - at));
            } else {
                read(map, at, stop, into, bytes);
            }
            at = stop;
        }
    }

    private static void read(ExtentMap map, long at, long stop, Payload into, @Nullable PagedBytes bytes) {
        for (int i = map.firstEndingAfter(at); at < stop; i++) {
            long begin = i < map.count() ? Math.min(stop, map.start(i)) : stop;
            if (begin > at) {
                into.appendExtent(0, 0, 0, (int) (begin - at));
                at = begin;
            }
            if (at < stop) {
                int n = (int) (Math.min(stop, map.end(i)) - at);
                if (map.writer(i) == Payload.BYTES && bytes != null) {
                    int pos = into.grow(n);
                    bytes.read(at, into.buffer(), pos, n);
                } else {
                    into.appendExtent(map.writer(i), map.sequence(i), map.offset(i) + at - map.start(i), n);
                }
                at += n;
            }
        }
    }

    @Override
    public void save(Snapshot out) {
        for (int i = 0; i < leaves.length << LEAF_SHIFT; i++) {
            ExtentMap map = window(i);
            if (map != null) {
                out.putInt(i);
                map.save(out);
            }
        }
        out.putInt(-1);
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(leaves, null);
        for (int i = in.getInt(); i >= 0; i = in.getInt()) {
            create(i).load(in);
        }
    }
}
