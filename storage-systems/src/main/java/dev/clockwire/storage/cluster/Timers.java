package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tasks that are due at a time, those of one time in the order they came: a binary heap in arrays. Who no longer wants one ignores it when it comes. */
final class Timers {
    static final long NEVER = Long.MAX_VALUE;
    private static final int FIRST = 16;

    private long[] due = new long[FIRST];
    private long[] order = new long[FIRST];
    private @Nullable Task[] tasks = new Task[FIRST];
    private long[] a = new long[FIRST];
    private long[] b = new long[FIRST];
    private int size;
    private long next;

    void add(long ps, Task task, long first, long second) {
        if (size == due.length) {
            int n = 2 * size;
            due = Arrays.copyOf(due, n);
            order = Arrays.copyOf(order, n);
            tasks = Arrays.copyOf(tasks, n);
            a = Arrays.copyOf(a, n);
            b = Arrays.copyOf(b, n);
        }
        int at = size++;
        set(at, ps, next++, task, first, second);
        while (at > 0 && before(at, (at - 1) >> 1)) {
            swap(at, (at - 1) >> 1);
            at = (at - 1) >> 1;
        }
    }

    private void set(int at, long ps, long nth, @Nullable Task task, long first, long second) {
        due[at] = ps;
        order[at] = nth;
        tasks[at] = task;
        a[at] = first;
        b[at] = second;
    }

    private boolean before(int i, int j) {
        return due[i] < due[j] || (due[i] == due[j] && order[i] < order[j]);
    }

    private void swap(int i, int j) {
        long ps = due[i];
        long nth = order[i];
        Task task = tasks[i];
        long first = a[i];
        long second = b[i];
        set(i, due[j], order[j], tasks[j], a[j], b[j]);
        set(j, ps, nth, task, first, second);
    }

    /** Returns when the first is due, {@link #NEVER} if there is none. */
    long first() {
        return size == 0 ? NEVER : due[0];
    }

    void runFirst() {
        if (size == 0) {
            throw new InvariantViolation("no timer to run");
        }
        Task task = Objects.requireNonNull(tasks[0]);
        long first = a[0];
        long second = b[0];
        size--;
        swap(0, size);
        tasks[size] = null;
        sink();
        task.run(first, second);
    }

    private void sink() {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                return;
            }
            if (child + 1 < size && before(child + 1, child)) {
                child++;
            }
            if (!before(child, at)) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }
}
