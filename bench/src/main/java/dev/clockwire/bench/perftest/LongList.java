package dev.clockwire.bench.perftest;

import java.util.Arrays;

/** A growing list of longs. */
final class LongList {
    private long[] values;
    private int size;

    LongList(int capacity) {
        values = new long[Math.max(16, capacity)];
    }

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + size / 2);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    long get(int i) {
        return values[i];
    }

    long[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
