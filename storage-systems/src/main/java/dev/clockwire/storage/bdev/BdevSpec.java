package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What the layer itself costs, and its limits. The times are assumptions: some hundred cycles of a server core at 2 to 3 GHz each way.
 *
 * @param submitPs checking an I/O, filling it in and handing it to the device
 * @param completePs counting it and telling who submitted it
 * @param retryPs how often an I/O that a device had no room for is tried again when none is outstanding whose end could tell
 * @param ioPool I/Os that can be under way or in caches at once
 * @param ioCache I/Os that a thread keeps for itself
 * @param handOver whether the end of each I/O is a message to the thread that submitted it, even when it ends there; SPDK ends it at once
 */
public record BdevSpec(long submitPs, long completePs, long retryPs, int ioPool, int ioCache, boolean handOver) {
    /** I/Os that must end before those which a device had no room for are tried again; half of them, if fewer are outstanding. */
    public static final int NOMEM_THRESHOLD = 8;

    private static final long LARGEST = 1_000_000_000_000L;

    /** Checks the ranges. */
    public BdevSpec {
        check("bdev.submitPs", submitPs, 0, LARGEST);
        check("bdev.completePs", completePs, 0, LARGEST);
        check("bdev.retryPs", retryPs, 1, LARGEST);
        check("bdev.ioPool", ioPool, 1, 1 << 24);
        check("bdev.ioCache", ioCache, 1, ioPool);
    }

    /** Returns a server's core with SPDK's pool. */
    public static BdevSpec server() {
        return new BdevSpec(40_000, 30_000, 10_000_000_000L, 65_535, 256, false);
    }

    /** Returns a copy with another pool. */
    public BdevSpec withPool(int size, int cache) {
        return new BdevSpec(submitPs, completePs, retryPs, size, cache, handOver);
    }

    /** Returns a copy that sends a message for the end of each I/O, or does not. */
    public BdevSpec withHandOver(boolean x) {
        return new BdevSpec(submitPs, completePs, retryPs, ioPool, ioCache, x);
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + most);
        }
    }
}
