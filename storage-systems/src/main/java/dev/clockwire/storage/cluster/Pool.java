package dev.clockwire.storage.cluster;

import java.util.function.IntSupplier;

/**
 * A pool of buffers of a machine.
 *
 * @param node number of the machine
 * @param name what is in it
 * @param free how many are there now
 * @param all how many there are when nobody needs one
 */
public record Pool(int node, String name, IntSupplier free, IntSupplier all) {
    /** Returns whether all are there. */
    public boolean isWhole() {
        return free.getAsInt() == all.getAsInt();
    }
}
