package dev.clockwire.storage.app;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What the objects of pools take of huge pages. The sizes are assumptions: those of SPDK's structures with the header and trailer that a
 * pool of DPDK gives each object, rounded up to cache lines.
 *
 * @param messageBytes a message or an event
 * @param bdevIoBytes an I/O of a block device with the context of its module
 */
public record PoolSpec(int messageBytes, int bdevIoBytes) {
    private static final int LARGEST = 1 << 20;

    /** Checks the ranges. */
    public PoolSpec {
        check("message", messageBytes);
        check("bdev_io", bdevIoBytes);
    }

    private static void check(String what, int bytes) {
        if (bytes < 1 || bytes > LARGEST) {
            throw new ConfigurationException("bytes of a " + what + " " + bytes + " are not in 1.." + LARGEST);
        }
    }

    /** Returns what SPDK's take on a 64-bit server. */
    public static PoolSpec spdk() {
        return new PoolSpec(128, 1216);
    }
}
