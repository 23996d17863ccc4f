package dev.clockwire.storage.load;

import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What clients do.
 *
 * @param op what kind of operations
 * @param size bytes of a value, a multiple of 512
 * @param ops of all clients together
 * @param keys that they work on
 * @param depth operations that a client has under way
 * @param readPercent share of reads in a mix
 * @param window for how long operations are begun, in place of their number; null if the number counts
 */
public record LoadSpec(
        Op op,
        int size,
        int ops,
        int keys,
        int depth,
        int readPercent,
        @Nullable LoadWindow window) {
    private static final int BLOCK = 512;
    private static final int MOST = 64 << 20;
    private static final int PERCENT = 100;

    /** Kinds of load. */
    public enum Op {
        /** Only writes. */
        WRITE,
        /** Only reads, of keys that were written before. */
        READ,
        /** Both. */
        MIX
    }

    /** A load of so many operations. */
    public LoadSpec(Op op, int size, int ops, int keys, int depth, int readPercent) {
        this(op, size, ops, keys, depth, readPercent, null);
    }

    /** Checks the ranges. */
    public LoadSpec {
        if (size < BLOCK || size > MOST || size % BLOCK != 0) {
            throw new ConfigurationException(
                    "size " + size + ": must be a multiple of " + BLOCK + " from " + BLOCK + " to " + MOST);
        }
        range("ops", ops, 1, 100_000_000);
        range("keys", keys, 1, 10_000_000);
        range("depth", depth, 1, 1024);
        range("read share in percent", readPercent, 0, PERCENT);
    }

    private static void range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + ": must be " + least + " to " + most);
        }
    }

    /** Returns one operation at a time of each client, half of a mix reads. */
    public static LoadSpec of(Op op, int size, int ops, int keys) {
        return new LoadSpec(op, size, ops, keys, 1, 50);
    }

    /** Returns a copy with so many operations under way. */
    public LoadSpec withDepth(int other) {
        return new LoadSpec(op, size, ops, keys, other, readPercent, window);
    }

    /** Returns a copy that lasts for a time; the number of operations does not count. */
    public LoadSpec withWindow(LoadWindow time) {
        return new LoadSpec(op, size, ops, keys, depth, readPercent, time);
    }
}
