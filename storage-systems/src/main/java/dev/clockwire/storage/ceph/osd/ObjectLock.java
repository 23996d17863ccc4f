package dev.clockwire.storage.ceph.osd;

import java.util.ArrayDeque;
import java.util.Deque;

/** Who works on an object: many readers or many writers, in the order they came, as the object context's {@code RWState}. */
class ObjectLock {
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private int readers;
    private int writers;

    /** One that waits. */
    private record Waiter(boolean write, Runnable run) {}

    /** Runs something when it may; it holds the lock until {@link #release}. */
    void take(boolean write, Runnable run) {
        waiting.add(new Waiter(write, run));
        grant();
    }

    void release(boolean write) {
        if (write) {
            writers--;
        } else {
            readers--;
        }
        grant();
    }

    private void grant() {
        while (!waiting.isEmpty()) {
            boolean write = waiting.getFirst().write;
            if (write ? readers > 0 : writers > 0) {
                return;
            }
            Waiter w = waiting.removeFirst();
            if (write) {
                writers++;
            } else {
                readers++;
            }
            w.run.run();
        }
    }

    boolean isFree() {
        return readers == 0 && writers == 0 && waiting.isEmpty();
    }
}
