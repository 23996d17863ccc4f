package dev.clockwire.storage.threefs.server;

import java.util.Set;
import java.util.TreeSet;

/** The slots that the other side of a connection may write to; what a write still uses is free only when that has ended. */
final class Granted {
    private final BufferPool pool;
    private final Set<Long> slots = new TreeSet<>();
    private final Set<Long> used = new TreeSet<>();
    private boolean lost;

    Granted(BufferPool pool) {
        this.pool = pool;
    }

    void add(long slot) {
        slots.add(slot);
    }

    /** Returns whether a slot may be used by a write now: it was granted, and no other write has it. */
    boolean use(long slot) {
        return slots.contains(slot) && used.add(slot);
    }

    /** A write has ended. */
    void unuse(long slot) {
        used.remove(slot);
        if (lost && slots.remove(slot)) {
            pool.give(slot);
        }
    }

    /**
     * The connection is gone, and nothing comes over it any more.
     *
     * @param all whether even slots in use are free, which they are not
     */
    void lost(boolean all) {
        lost = true;
        for (long slot : new TreeSet<>(slots)) {
            if (all || !used.contains(slot)) {
                slots.remove(slot);
                pool.give(slot);
            }
        }
    }

    boolean isLost() {
        return lost;
    }
}
