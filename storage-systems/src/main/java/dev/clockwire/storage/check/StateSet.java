package dev.clockwire.storage.check;

import java.util.Arrays;

/** Rows of longs that were seen, packed one behind the other: what a search has tried needs no object for each state. */
final class StateSet {
    private static final int FIRST_ROOM = 1 << 10;
    private static final int MOST_LONGS = 1 << 25;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private long[] rows = new long[FIRST_ROOM];
    private int used = 1; // 0 is no row
    private int[] table = new int[FIRST_ROOM];
    private int count;

    /** Adds a row; returns whether it is new. */
    boolean add(long[] row, int length) {
        if (2 * count >= table.length) {
            grow();
        }
        int at = slot(hash(row, 0, length));
        for (; table[at] != 0; at = at + 1 & table.length - 1) {
            int start = table[at];
            if (rows[start] == length && Arrays.equals(rows, start + 1, start + 1 + length, row, 0, length)) {
                return false;
            }
        }
        if (used + length + 1 > rows.length) {
            rows = Arrays.copyOf(rows, Math.max(2 * rows.length, used + length + 1));
        }
        table[at] = used;
        rows[used] = length;
        System.arraycopy(row, 0, rows, used + 1, length);
        used += length + 1;
        count++;
        return true;
    }

    int size() {
        return count;
    }

    /** Returns whether it holds more than is good for a machine: 256 MiB. */
    boolean isFull() {
        return used >= MOST_LONGS;
    }

    private void grow() {
        int[] old = table;
        table = new int[2 * old.length];
        for (int start : old) {
            if (start != 0) {
                int at = slot(hash(rows, start + 1, (int) rows[start]));
                while (table[at] != 0) {
                    at = at + 1 & table.length - 1;
                }
                table[at] = start;
            }
        }
    }

    private int slot(long hash) {
        return (int) (hash >>> Integer.SIZE) & table.length - 1;
    }

    private static long hash(long[] row, int from, int length) {
        long h = length;
        for (int i = from; i < from + length; i++) {
            h = (h ^ row[i]) * MIX;
            h ^= h >>> Integer.SIZE;
        }
        return h * MIX;
    }
}
