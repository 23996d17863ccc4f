package dev.clockwire.storage.threefs.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** Locks of chunks: one holder each, the others in the order they came. */
final class Locks {
    private final Map<Long, Deque<Runnable>> held = new TreeMap<>();

    /** Runs something as soon as it has the lock. */
    void lock(long key, Runnable then) {
        Deque<Runnable> waiting = held.get(key);
        if (waiting == null) {
            held.put(key, new ArrayDeque<>());
            then.run();
        } else {
            waiting.add(then);
        }
    }

    boolean isHeld(long key) {
        return held.containsKey(key);
    }

    boolean isFree() {
        return held.isEmpty();
    }

    void unlock(long key) {
        Deque<Runnable> waiting = held.get(key);
        Runnable next = waiting == null ? null : waiting.poll();
        if (next == null) {
            held.remove(key);
        } else {
            next.run();
        }
    }
}
