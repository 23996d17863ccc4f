package dev.clockwire.storage.threefs.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** Locks of chunks: one holder each, the others in the order they came. */
class Locks {
    private final Map<Long, Held> held = new TreeMap<>();

    /** The lock of one chunk. */
    private static final class Held {
        final Deque<Runnable> waiting = new ArrayDeque<>();
        boolean free;
        boolean passing;
    }

    /** Runs something as soon as it has the lock. */
    void lock(long key, Runnable then) {
        Held h = held.get(key);
        if (h == null) {
            held.put(key, new Held());
            then.run();
        } else {
            h.waiting.add(then);
        }
    }

    boolean isHeld(long key) {
        return held.containsKey(key);
    }

    boolean isFree() {
        return held.isEmpty();
    }

    /** Passes the lock on; holders that give it back at once do so in turn, not inside each other. */
    void unlock(long key) {
        Held h = held.get(key);
        if (h == null) {
            return;
        }
        h.free = true;
        if (h.passing) {
            return;
        }
        h.passing = true;
        Runnable next = h.waiting.poll();
        while (next != null) {
            h.free = false;
            next.run();
            next = h.free ? h.waiting.poll() : null;
        }
        h.passing = false;
        if (h.free) {
            held.remove(key);
        }
    }
}
