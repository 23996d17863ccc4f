package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are due at a time, those of one time in the order they came: a binary heap of slots in arrays, each of which knows its place, so that any can be cancelled. Grows to
 * what is needed and then allocates nothing.
 */
final class Timers {
    static final long NEVER = Long.MAX_VALUE;
    private static final int FIRST = 16;

    /** All slots: the heap in front, those that are free behind it. */
    private int[] heap = new int[0];
    /** Where a slot is in it. */
    private int[] place = new int[0];
    /** How often a slot has become free: tells what is in it from what was, and no timer from 0. */
    private int[] turn = new int[0];

    private long[] due = new long[0];
    private long[] order = new long[0];
    private @Nullable Task[] tasks = new Task[0];
    private long[] a = new long[0];
    private long[] b = new long[0];
    private int size;
    private long next;

    /** Returns a number for {@link #cancel}, never 0. */
    long add(long ps, Task task, long first, long second) {
        if (size == heap.length) {
            grow(Math.max(FIRST, 2 * size));
        }
        int at = size++;
        int slot = heap[at];
        due[slot] = ps;
        order[slot] = next++;
        tasks[slot] = task;
        a[slot] = first;
        b[slot] = second;
        rise(at);
        return (long) turn[slot] << Integer.SIZE | slot;
    }

    private void grow(int n) {
        heap = Arrays.copyOf(heap, n);
        place = Arrays.copyOf(place, n);
        turn = Arrays.copyOf(turn, n);
        due = Arrays.copyOf(due, n);
        order = Arrays.copyOf(order, n);
        tasks = Arrays.copyOf(tasks, n);
        a = Arrays.copyOf(a, n);
        b = Arrays.copyOf(b, n);
        for (int i = size; i < n; i++) {
            put(i, i);
            turn[i] = 1;
        }
    }

    /** Takes a timer away; returns false if it has run or was cancelled, or never was. */
    boolean cancel(long timer) {
        int slot = (int) timer;
        if (slot >= turn.length || turn[slot] != (int) (timer >>> Integer.SIZE)) {
            return false;
        }
        remove(slot);
        return true;
    }

    /** Returns when the first is due, {@link #NEVER} if there is none. */
    long first() {
        return size == 0 ? NEVER : due[heap[0]];
    }

    void runFirst() {
        if (size == 0) {
            throw new InvariantViolation("no timer to run");
        }
        int slot = heap[0];
        Task task = Objects.requireNonNull(tasks[slot]);
        long first = a[slot];
        long second = b[slot];
        remove(slot);
        task.run(first, second);
    }

    private void remove(int slot) {
        int at = place[slot];
        int last = heap[--size];
        put(size, slot);
        tasks[slot] = null;
        turn[slot]++;
        if (at < size) {
            put(at, last);
            sink(at);
            rise(place[last]);
        }
    }

    private void put(int at, int slot) {
        heap[at] = slot;
        place[slot] = at;
    }

    private boolean before(int slot, int other) {
        return due[slot] < due[other] || (due[slot] == due[other] && order[slot] < order[other]);
    }

    private void rise(int from) {
        int slot = heap[from];
        int at = from;
        while (at > 0 && before(slot, heap[(at - 1) >> 1])) {
            put(at, heap[(at - 1) >> 1]);
            at = (at - 1) >> 1;
        }
        put(at, slot);
    }

    private void sink(int from) {
        int slot = heap[from];
        int at = from;
        int child = 2 * at + 1;
        while (child < size) {
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], slot)) {
                break;
            }
            put(at, heap[child]);
            at = child;
            child = 2 * at + 1;
        }
        put(at, slot);
    }
}
