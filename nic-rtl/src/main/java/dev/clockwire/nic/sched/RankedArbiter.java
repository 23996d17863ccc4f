package dev.clockwire.nic.sched;

import dev.clockwire.nic.stage.QpRing;
import dev.clockwire.sim.state.Snapshot;
import java.util.Arrays;

/** What the policies share that do not treat queues alike: who is ready, and how long a queue waits for its grant. */
abstract class RankedArbiter extends QpArbiter {
    /** Queues passed over in this scan. */
    private int[] passed = new int[16];

    private int passedCount;
    private boolean[] ready = new boolean[16];
    /** Grants so far when a queue got ready. */
    private long[] since = new long[16];

    private long grants;
    private long most;
    private int count;

    /** Puts a queue that was not ready where its rank says. */
    abstract void place(int q);

    /** Begins a scan at the highest rank. */
    abstract void rewind();

    /** Takes the next queue of the scan out of its ring. */
    abstract int take();

    /** Puts a queue back at the end of the ring that it was taken out of. */
    abstract void putBack(int q);

    /** Returns the queues in the order of their ranks, for a snapshot: {@link #place} in this order makes the same state. */
    abstract void list(QpRing out);

    /** Makes room for the values of a queue. */
    void ensure(int q) {
        if (q >= ready.length) {
            int n = Math.max(q + 1, 2 * ready.length);
            ready = Arrays.copyOf(ready, n);
            since = Arrays.copyOf(since, n);
        }
    }

    @Override
    public final int size() {
        return count;
    }

    @Override
    public final boolean add(int q) {
        ensure(q);
        if (ready[q]) {
            return false;
        }
        ready[q] = true;
        since[q] = grants;
        count++;
        place(q);
        return true;
    }

    @Override
    public final void begin() {
        passedCount = 0;
        rewind();
    }

    @Override
    public final int next() {
        int q = take();
        ready[q] = false;
        count--;
        return q;
    }

    @Override
    public void granted(int q) {
        most = Math.max(most, grants - since[q]);
        grants++;
        for (int i = 0; i < passedCount; i++) {
            since[passed[i]] = grants; // nobody overtakes who cannot go
        }
    }

    @Override
    public final void pass(int q) {
        ready[q] = true;
        count++;
        putBack(q);
        if (passedCount == passed.length) {
            passed = Arrays.copyOf(passed, 2 * passedCount);
        }
        passed[passedCount++] = q;
    }

    @Override
    public final long overtaken() {
        long longest = most;
        for (int q = 0; q < ready.length; q++) {
            if (ready[q]) {
                longest = Math.max(longest, grants - since[q]);
            }
        }
        return longest;
    }

    @Override
    final void clear() {
        begin();
        while (count > 0) {
            next();
        }
    }

    @Override
    public void save(Snapshot out) {
        QpRing all = new QpRing();
        list(all);
        all.save(out);
        for (int i = 0; i < all.size(); i++) {
            out.putLong(since[all.get(i)]);
        }
        out.putLong(grants);
        out.putLong(most);
    }

    @Override
    public void load(Snapshot in) {
        clear();
        QpRing all = new QpRing();
        all.load(in);
        for (int i = 0; i < all.size(); i++) {
            add(all.get(i));
            since[all.get(i)] = in.getLong();
        }
        grants = in.getLong();
        most = in.getLong();
    }
}
