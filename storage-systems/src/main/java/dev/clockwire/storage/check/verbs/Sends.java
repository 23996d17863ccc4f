package dev.clockwire.storage.check.verbs;

/** The sends of one queue pair that no completion has covered, oldest first. */
final class Sends {
    /** What {@link #completed} returns for a completion that is nobody's. */
    static final int NOBODY = -1;
    /** What it returns for one that comes before that of an earlier send. */
    static final int TOO_EARLY = -2;

    private long[] ids = new long[64];
    private long[] posted = new long[64];
    private boolean[] signaled = new boolean[64];
    private int head;
    private int count;
    /** Failed completions that may have been of a later send with the same number than the one they were counted for. */
    private int unsure;

    int count() {
        return count;
    }

    private int at(int i) {
        return (head + i) & (ids.length - 1);
    }

    void add(long id, boolean withCompletion, long ps) {
        if (count == ids.length) {
            grow();
        }
        int at = at(count++);
        ids[at] = id;
        posted[at] = ps;
        signaled[at] = withCompletion;
    }

    private void grow() {
        int n = ids.length;
        long[] wider = new long[2 * n];
        long[] times = new long[2 * n];
        boolean[] flags = new boolean[2 * n];
        for (int i = 0; i < n; i++) {
            wider[i] = ids[at(i)];
            times[i] = posted[at(i)];
            flags[i] = signaled[at(i)];
        }
        ids = wider;
        posted = times;
        signaled = flags;
        head = 0;
    }

    /**
     * A send has a completion: those before it are covered, too, if they have none of their own.
     *
     * @param ok whether it has succeeded; else it may be any, signalled or not
     * @return how many sends are covered, {@link #NOBODY} or {@link #TOO_EARLY}; of what comes too early everything before it is given up
     */
    int completed(long id, boolean ok) {
        int i = 0;
        int passed = 0;
        while (i < count && !(ids[at(i)] == id && (signaled[at(i)] || !ok))) {
            passed += signaled[at(i)] ? 1 : 0;
            i++;
        }
        if (i == count) {
            return NOBODY;
        }
        boolean early = passed > (ok ? 0 : unsure);
        unsure = Math.max(0, unsure - passed);
        drop(i + 1);
        unsure += !ok && holds(id) ? 1 : 0;
        return early ? TOO_EARLY : i + 1;
    }

    private boolean holds(long id) {
        for (int i = 0; i < count; i++) {
            if (ids[at(i)] == id) {
                return true;
            }
        }
        return false;
    }

    private void drop(int n) {
        head = at(n);
        count -= n;
    }

    /**
     * Returns how many are left of which it is certain that a completion must come.
     *
     * @param flushing whether the last completion was of one that was flushed: else unsignalled ones may have succeeded
     */
    int awaited(boolean flushing) {
        int n = 0;
        for (int i = 0; i < count; i++) {
            n += flushing || signaled[at(i)] ? 1 : 0;
        }
        return Math.max(0, n - unsure);
    }

    /** Returns when the oldest signalled one was posted, {@link Long#MAX_VALUE} if there is none. */
    long oldestPs() {
        for (int i = 0; i < count; i++) {
            if (signaled[at(i)]) {
                return posted[at(i)];
            }
        }
        return Long.MAX_VALUE;
    }

    void clear() {
        count = 0;
        unsure = 0;
    }
}
