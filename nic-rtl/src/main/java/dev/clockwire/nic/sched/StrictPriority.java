package dev.clockwire.nic.sched;

import dev.clockwire.nic.stage.QpRing;
import java.util.function.IntUnaryOperator;

/**
 * The queues of the highest priority take turns; no other goes while one of them is ready. Nothing keeps lower ones from starving. A new
 * priority counts from the next time the queue gets ready.
 */
final class StrictPriority extends RankedArbiter {
    /** Priorities, 0 being the lowest. */
    static final int LEVELS = 8;

    private final IntUnaryOperator priority;
    private final QpRing[] levels = new QpRing[LEVELS];
    /** Where the scan is, and how many queues of this level it has not seen. */
    private int at;

    private int unseen;

    StrictPriority(IntUnaryOperator priority) {
        this.priority = priority;
        for (int i = 0; i < LEVELS; i++) {
            levels[i] = new QpRing();
        }
    }

    @Override
    void place(int q) {
        levels[priority.applyAsInt(q)].add(q);
    }

    @Override
    void rewind() {
        at = LEVELS - 1;
        unseen = levels[at].size();
    }

    @Override
    int take() {
        while (unseen == 0) {
            unseen = levels[--at].size();
        }
        unseen--;
        return levels[at].next();
    }

    @Override
    void putBack(int q) {
        levels[at].add(q);
    }

    @Override
    void list(QpRing out) {
        for (int level = LEVELS - 1; level >= 0; level--) {
            for (int i = 0; i < levels[level].size(); i++) {
                out.add(levels[level].get(i));
            }
        }
    }
}
