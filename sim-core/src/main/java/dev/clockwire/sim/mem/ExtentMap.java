package dev.clockwire.sim.mem;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * Which write each byte of a range comes from: disjoint extents sorted by position, in primitive arrays; gaps were never
 * written. Neighbours that continue each other are one, so a buffer that is rewritten again and again stays small.
 */
final class ExtentMap implements State {
    private int count;
    private long[] start = new long[1];
    private long[] size = new long[1];
    private int[] writer = new int[1];
    private long[] sequence = new long[1];
    private long[] offset = new long[1];

    int count() {
        return count;
    }

    long start(int i) {
        return start[i];
    }

    long end(int i) {
        return start[i] + size[i];
    }

    int writer(int i) {
        return writer[i];
    }

    long sequence(int i) {
        return sequence[i];
    }

    long offset(int i) {
        return offset[i];
    }

    /** Returns the first extent that ends after a position, {@link #count} if there is none. */
    int firstEndingAfter(long at) {
        int low = 0;
        int high = count;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (end(mid) > at) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return low;
    }

    /** Overwrites {@code n > 0} bytes; writer 0 makes them never written. */
    void put(long at, long n, int w, long s, long o) {
        int p = carve(at, at + n);
        if (w == 0) {
            return;
        }
        boolean left = p > 0 && end(p - 1) == at && continues(p - 1, w, s, o);
        boolean right = p < count && start[p] == at + n && writer[p] == w && sequence[p] == s && offset[p] == o + n;
        if (left && right) {
            size[p - 1] += n + size[p];
            remove(p, p + 1);
        } else if (left) {
            size[p - 1] += n;
        } else if (right) {
            start[p] = at;
            offset[p] = o;
            size[p] += n;
        } else {
            insert(p, at, n, w, s, o);
        }
    }

    private boolean continues(int i, int w, long s, long o) {
        return writer[i] == w && sequence[i] == s && offset[i] + size[i] == o;
    }

    /** Removes what lies in [a, b) and returns the place where an extent there belongs. */
    private int carve(long a, long b) {
        int i = firstEndingAfter(a);
        if (i == count || start[i] >= b) {
            return i;
        }
        if (start[i] < a) {
            if (end(i) > b) {
                insert(i + 1, b, end(i) - b, writer[i], sequence[i], offset[i] + b - start[i]);
                size[i] = a - start[i];
                return i + 1;
            }
            size[i] = a - start[i];
            i++;
        }
        int j = i;
        while (j < count && end(j) <= b) {
            j++;
        }
        if (j < count && start[j] < b) {
            long cut = b - start[j];
            start[j] = b;
            size[j] -= cut;
            offset[j] += cut;
        }
        remove(i, j);
        return i;
    }

    private void insert(int p, long at, long n, int w, long s, long o) {
        if (count == writer.length) {
            int room = count * 2;
            start = Arrays.copyOf(start, room);
            size = Arrays.copyOf(size, room);
            writer = Arrays.copyOf(writer, room);
            sequence = Arrays.copyOf(sequence, room);
            offset = Arrays.copyOf(offset, room);
        }
        move(p, p + 1);
        count++;
        start[p] = at;
        size[p] = n;
        writer[p] = w;
        sequence[p] = s;
        offset[p] = o;
    }

    private void remove(int from, int to) {
        if (to > from) {
            move(to, from);
            count -= to - from;
        }
    }

    private void move(int from, int to) {
        int n = count - from;
        System.arraycopy(start, from, start, to, n);
        System.arraycopy(size, from, size, to, n);
        System.arraycopy(writer, from, writer, to, n);
        System.arraycopy(sequence, from, sequence, to, n);
        System.arraycopy(offset, from, offset, to, n);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putLong(start[i]);
            out.putLong(size[i]);
            out.putInt(writer[i]);
            out.putLong(sequence[i]);
            out.putLong(offset[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = 0;
        int n = in.getInt();
        for (int i = 0; i < n; i++) {
            insert(i, in.getLong(), in.getLong(), in.getInt(), in.getLong(), in.getLong());
        }
    }
}
