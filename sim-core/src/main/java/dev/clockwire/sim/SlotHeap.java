package dev.clockwire.sim;

import java.util.Arrays;

/**
 * Event rows by (time, key): the events of the open slot of the wheel. A few are kept sorted, which is quicker than a heap; when they
 * become many (thousands of events may be due at one instant) the sorted rows are already a heap and are used as one until empty.
 */
final class SlotHeap {
    private static final int FEW = 24;

    private long[] times = new long[64];
    private long[] keys = new long[64];
    private int[] rows = new int[64];
    /** The earliest is at {@code first}, which is 0 in a heap; the last is before {@code end}. */
    private int first;

    private int end;
    private boolean heap;

    boolean isEmpty() {
        return first == end;
    }

    /** Time of the earliest event; there must be one. */
    long top() {
        return times[first];
    }

    /** Takes all rows out, in no particular order; returns the place behind the last one written. */
    int drain(int[] to, int at) {
        int n = end - first;
        System.arraycopy(rows, first, to, at, n);
        reset();
        return at + n;
    }

    private void reset() {
        first = 0;
        end = 0;
        heap = false;
    }

    void push(long time, long key, int row) {
        if (heap || end == FEW) {
            pushMany(time, key, row);
            return;
        }
        long[] t = times;
        long[] k = keys;
        int[] r = rows;
        int i = end++;
        int stop = first;
        while (i > stop && (time < t[i - 1] || (time == t[i - 1] && key < k[i - 1]))) {
            t[i] = t[i - 1];
            k[i] = k[i - 1];
            r[i] = r[i - 1];
            i--;
        }
        t[i] = time;
        k[i] = key;
        r[i] = row;
    }

    private void pushMany(long time, long key, int row) {
        if (!heap) {
            int n = end - first;
            System.arraycopy(times, first, times, 0, n);
            System.arraycopy(keys, first, keys, 0, n);
            System.arraycopy(rows, first, rows, 0, n);
            first = 0;
            end = n;
            if (n < FEW / 2) {
                push(time, key, row);
                return;
            }
            heap = true;
        }
        if (end == times.length) {
            times = Arrays.copyOf(times, 2 * end);
            keys = Arrays.copyOf(keys, 2 * end);
            rows = Arrays.copyOf(rows, 2 * end);
        }
        rise(time, key, row);
    }

    private void rise(long time, long key, int row) {
        long[] t = times;
        long[] k = keys;
        int[] r = rows;
        int i = end++;
        while (i > 0) {
            int parent = (i - 1) >>> 1;
            if (time > t[parent] || (time == t[parent] && key > k[parent])) {
                break;
            }
            t[i] = t[parent];
            k[i] = k[parent];
            r[i] = r[parent];
            i = parent;
        }
        t[i] = time;
        k[i] = key;
        r[i] = row;
    }

    /** Takes out the earliest row; there must be one. */
    int pop() {
        if (heap) {
            return popMany();
        }
        int row = rows[first++];
        if (first == end) {
            first = 0;
            end = 0;
        }
        return row;
    }

    private int popMany() {
        int row = rows[0];
        int n = --end;
        if (n == 0) {
            reset();
        } else {
            sink(times[n], keys[n], rows[n], n);
        }
        return row;
    }

    /** Puts a row into the hole at the top of a heap of n. */
    private void sink(long time, long key, int row, int n) {
        long[] t = times;
        long[] k = keys;
        int[] r = rows;
        int i = 0;
        for (int c = 1; c < n; c = 2 * i + 1) {
            if (c + 1 < n && (t[c + 1] < t[c] || (t[c + 1] == t[c] && k[c + 1] < k[c]))) {
                c++;
            }
            if (time < t[c] || (time == t[c] && key < k[c])) {
                break;
            }
            t[i] = t[c];
            k[i] = k[c];
            r[i] = r[c];
            i = c;
        }
        t[i] = time;
        k[i] = key;
        r[i] = row;
    }
}
