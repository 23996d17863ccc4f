package dev.clockwire.sim.mem;

/** Is told of writes to a watched range. */
@FunctionalInterface
public interface Watcher {
    /**
     * Called in the call that wrote, after the memory has changed.
     *
     * @param va first address of the part of the write that lies in the watched range
     * @param len length of that part in bytes, at least 1
     */
    void written(long va, int len);
}
