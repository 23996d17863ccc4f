package dev.clockwire.sim;

import java.util.Arrays;

/** A binary heap of event rows by (time, key): the events of the open slot of the wheel. */
final class SlotHeap {
    private long[] times = new long[64];
    private long[] keys = new long[64];
    private int[] rows = new int[64];
    int size;

    /** Time of the earliest event; there must be one. */
    long top() {
        return times[0];
    }

    int row(int i) {
        return rows[i];
    }

    void push(long time, long key, int row) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            keys = Arrays.copyOf(keys, 2 * size);
            rows = Arrays.copyOf(rows, 2 * size);
        }
        long[] t = times;
        long[] k = keys;
        int[] r = rows;
        int i = size++;
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
        int first = rows[0];
        int n = --size;
        if (n > 0) {
            sink(times[n], keys[n], rows[n], n);
        }
        return first;
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
