package dev.clockwire.sim.mem;

import org.jspecify.annotations.Nullable;

/**
 * A watched range of an allocation. Arming, disarming and {@link AddressSpace#move moving} are cheap; closing takes the watch away
 * for good.
 */
public final class WriteWatch implements AutoCloseable {
    long start;
    int length;
    private final Watcher watcher;
    private boolean armed = true;
    /** Null when closed. */
    private @Nullable Allocation allocation;

    WriteWatch(Watcher watcher) {
        this.watcher = watcher;
    }

    /** Makes the watcher be called; a new watch is armed. */
    public void arm() {
        armed = true;
    }

    /** Makes the watcher be left alone until the next {@link #arm}. */
    public void disarm() {
        armed = false;
    }

    /** Returns whether the watcher is called. */
    public boolean armed() {
        return armed;
    }

    /** Takes the watch away; further calls do nothing. */
    @Override
    public void close() {
        armed = false;
        boolean unused = leave();
    }

    /** Leaves its range; returns whether it had one. */
    boolean leave() {
        Allocation from = allocation;
        if (from == null) {
            return false;
        }
        from.unwatch(this);
        allocation = null;
        return true;
    }

    /** Watches a range from now on; it watches none. */
    void enter(Allocation to, long from, int bytes) {
        allocation = to;
        start = from;
        length = bytes;
        to.watch(this);
    }

    /** Tells the watcher if the write from {@code at} to {@code end}, both relative to the allocation, overlaps. */
    void tell(long at, long end) {
        long from = Math.max(at, start);
        long to = Math.min(end, start + length);
        Allocation in = allocation;
        if (armed && from < to && in != null) {
            watcher.written(in.address() + from, (int) (to - from));
        }
    }
}
