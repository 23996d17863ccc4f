package dev.clockwire.storage.check.verbs;

import java.util.ArrayList;
import java.util.List;

/** A completion queue, and what may still come into it: everything that is posted, since what fails has a completion even if it is not signalled. */
final class Bound {
    final int cqn;
    final int entries;
    /** Sends, and receives of queue pairs' own. */
    int owed;

    private final List<Receives> shared = new ArrayList<>();
    private boolean crossed;

    Bound(int cqn, int entries) {
        this.cqn = cqn;
        this.entries = entries;
    }

    /** Receives of a shared queue may come back here. */
    void add(Receives of) {
        if (!shared.contains(of)) {
            shared.add(of);
        }
    }

    int most() {
        int sum = owed;
        for (int i = 0; i < shared.size(); i++) {
            sum += shared.get(i).count();
        }
        return sum;
    }

    /** Returns whether there are more than entries, now for the first time since there were not. */
    boolean isCrossed() {
        boolean before = crossed;
        crossed = most() > entries;
        return crossed && !before;
    }
}
