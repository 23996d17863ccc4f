package dev.clockwire.pcie.iommu;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** The page walkers: when each is free again, and the walks whose result has not been put to use. */
final class Walks implements State {
    /** The page of a walk that finds none. */
    static final long NOTHING = -1;

    private final long[] free;
    private long[] page = new long[8];
    private long[] done = new long[8];
    private int count;
    private long started;

    Walks(int walkers) {
        free = new long[walkers];
    }

    /** Starts a walk at a time or when a walker is free; returns when it ends. */
    long start(long at, long ps, long tag) {
        int w = 0;
        for (int i = 1; i < free.length; i++) {
            w = free[i] < free[w] ? i : w;
        }
        long end = Math.max(at, free[w]) + ps;
        free[w] = end;
        started++;
        if (tag != NOTHING) {
            if (count == page.length) {
                page = Arrays.copyOf(page, 2 * count);
                done = Arrays.copyOf(done, 2 * count);
            }
            page[count] = tag;
            done[count++] = end;
        }
        return end;
    }

    /** Returns when the walk to a page ends that is under way, -1 if there is none. */
    long pending(long tag) {
        for (int i = 0; i < count; i++) {
            if (page[i] == tag) {
                return done[i];
            }
        }
        return -1;
    }

    /** Removes the walk that ended first, not after a time, and returns its page; -1 if none has ended. */
    long ended(long at) {
        int first = -1;
        for (int i = 0; i < count; i++) {
            if (done[i] <= at && (first < 0 || done[i] < done[first])) {
                first = i;
            }
        }
        if (first < 0) {
            return NOTHING;
        }
        long tag = page[first];
        remove(first);
        return tag;
    }

    /** Lets no walk under way bring a page that touches a range; who waits for one is served all the same. */
    void forget(long va, long length) {
        for (int i = count - 1; i >= 0; i--) {
            if (Iotlb.touches(page[i], va, length)) {
                remove(i);
            }
        }
    }

    private void remove(int i) {
        System.arraycopy(page, i + 1, page, i, count - i - 1);
        System.arraycopy(done, i + 1, done, i, count - i - 1);
        count--;
    }

    long started() {
        return started;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(free);
        out.putLong(started);
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putLong(page[i]);
            out.putLong(done[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(free);
        started = in.getLong();
        count = in.getInt();
        page = new long[Math.max(8, count)];
        done = new long[Math.max(8, count)];
        for (int i = 0; i < count; i++) {
            page[i] = in.getLong();
            done[i] = in.getLong();
        }
    }
}
