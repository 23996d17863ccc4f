package dev.clockwire.sim.mem;

/** A watched range of an allocation. Arming and disarming are cheap; closing takes the watch away for good. */
public final class WriteWatch implements AutoCloseable {
    final Allocation allocation;
    final long start;
    final int length;
    private final Watcher watcher;
    private boolean armed = true;

    WriteWatch(Allocation allocation, long start, int length, Watcher watcher) {
        this.allocation = allocation;
        this.start = start;
        this.length = length;
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
        allocation.unwatch(this);
    }

    /** Tells the watcher if the write from {@code at} to {@code end}, both relative to the allocation, overlaps. */
    void tell(long at, long end) {
        long from = Math.max(at, start);
        long to = Math.min(end, start + length);
        if (armed && from < to) {
            watcher.written(allocation.address() + from, (int) (to - from));
        }
    }
}
