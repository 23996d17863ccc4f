package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The beats of a token on a bus: a token of L bytes on N bytes of width occupies ceil(L/N) cycles, at least one. It is visible at its
 * first beat; the next token's first beat comes after its last one.
 *
 * @param widthBytes bytes a beat, at least 1
 */
public record Beats(int widthBytes) {
    /** Checks the width. */
    public Beats {
        if (widthBytes < 1) {
            throw new ConfigurationException("bus width " + widthBytes + " bytes is not at least 1");
        }
    }

    /** Returns the number of beats of a token. */
    public long count(long bytes) {
        return Math.max(1, (bytes + widthBytes - 1) / widthBytes);
    }

    /** Returns the cycle of the last beat of a token whose first beat is in cycle {@code first}. */
    public long lastBeat(long first, long bytes) {
        return first + count(bytes) - 1;
    }

    /** Returns the first cycle in which a block that stores and forwards may take a token. */
    public static long storeAndForward(long lastBeat) {
        return lastBeat + 1;
    }

    /**
     * Returns the cycle of the last beat behind a cut-through block: the token leaves at once at this bus's rate, but not before it has
     * arrived.
     *
     * @param firstOut cycle of its first beat on this bus
     * @param lastIn cycle of its last beat on the bus before, plus the block's latency
     */
    public long cutThrough(long firstOut, long bytes, long lastIn) {
        return Math.max(lastBeat(firstOut, bytes), lastIn);
    }
}
