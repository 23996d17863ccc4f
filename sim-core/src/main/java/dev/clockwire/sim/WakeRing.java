package dev.clockwire.sim;

import java.util.Arrays;

/** Wake-ups for the edges from 2 to 63 ahead: a mask for each edge, so that short waits need no event. */
final class WakeRing {
    /** Edges that fit, the present one included. */
    static final int EDGES = 64;

    private final int words;
    private final long[] masks;
    private long occupied;

    WakeRing(int words) {
        this.words = words;
        masks = new long[EDGES * words];
    }

    void add(long cycle, int module) {
        int slot = (int) cycle & (EDGES - 1);
        masks[slot * words + (module >> 6)] |= 1L << module;
        occupied |= 1L << slot;
    }

    /** Moves the masks of an edge into those that are about to run; returns the next edge with a wake-up. */
    long merge(long cycle, WakeMask[] next) {
        int slot = (int) cycle & (EDGES - 1);
        for (int w = 0; w < words; w++) {
            next[w].bits |= masks[slot * words + w];
            masks[slot * words + w] = 0;
        }
        occupied &= ~(1L << slot);
        return occupied == 0
                ? Long.MAX_VALUE
                : cycle + 1 + Long.numberOfTrailingZeros(Long.rotateRight(occupied, (int) (cycle + 1) & 63));
    }

    void clear() {
        occupied = 0;
        Arrays.fill(masks, 0);
    }
}
