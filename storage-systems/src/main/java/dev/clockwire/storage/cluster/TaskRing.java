package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tasks in the order they came, each with the time from which it can be seen; grows to what is needed and then allocates nothing. */
final class TaskRing {
    private static final int FIRST = 16;

    private @Nullable Task[] tasks = new Task[FIRST];
    private long[] a = new long[FIRST];
    private long[] b = new long[FIRST];
    private long[] from = new long[FIRST];
    private int head;
    private int size;

    void add(Task task, long first, long second, long visiblePs) {
        if (size == tasks.length) {
            grow();
        }
        int at = head + size & tasks.length - 1;
        tasks[at] = task;
        a[at] = first;
        b[at] = second;
        from[at] = visiblePs;
        size++;
    }

    private void grow() {
        int n = tasks.length;
        @Nullable Task[] t = Arrays.copyOf(tasks, 2 * n);
        long[] x = Arrays.copyOf(a, 2 * n);
        long[] y = Arrays.copyOf(b, 2 * n);
        long[] f = Arrays.copyOf(from, 2 * n);
        for (int i = 0; i < n; i++) {
            int at = head + i & n - 1;
            t[i] = tasks[at];
            x[i] = a[at];
            y[i] = b[at];
            f[i] = from[at];
        }
        tasks = t;
        a = x;
        b = y;
        from = f;
        head = 0;
    }

    int size() {
        return size;
    }

    /** Returns from when the first can be seen, {@link Timers#NEVER} if there is none. */
    long first() {
        return size == 0 ? Timers.NEVER : from[head];
    }

    void runFirst() {
        if (size == 0) {
            throw new InvariantViolation("no task to run");
        }
        Task task = Objects.requireNonNull(tasks[head]);
        long x = a[head];
        long y = b[head];
        tasks[head] = null;
        head = head + 1 & tasks.length - 1;
        size--;
        task.run(x, y);
    }
}
