package dev.clockwire.storage.ceph.stream;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.List;

/** Registered chunks of one size, by number; those that are free are taken last in, first out. */
class ChunkPool {
    private final int chunkBytes;
    private final int slab;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private int[] free = new int[0];
    private boolean[] out = new boolean[0];
    private int count;

    /** Creates a pool without chunks, whose regions hold so many each, but for the last. */
    ChunkPool(int chunkBytes, int slab) {
        this.chunkBytes = chunkBytes;
        this.slab = slab;
    }

    /** Adds the chunks of a region. */
    void add(MemoryRegion region, int chunks) {
        int first = regions.size() * slab;
        regions.add(region);
        free = java.util.Arrays.copyOf(free, first + chunks);
        out = java.util.Arrays.copyOf(out, first + chunks);
        for (int i = chunks - 1; i >= 0; i--) {
            free[count++] = first + i;
        }
    }

    /** Returns a chunk's number, -1 if none is free. */
    int take() {
        if (count == 0) {
            return -1;
        }
        int i = free[--count];
        out[i] = true;
        return i;
    }

    void give(int i) {
        if (!isOut(i)) {
            throw new InvariantViolation("chunk " + i + " is given back twice");
        }
        out[i] = false;
        free[count++] = i;
    }

    boolean isOut(int i) {
        return out[i];
    }

    long address(int i) {
        return regions.get(i / slab).address() + (long) (i % slab) * chunkBytes;
    }

    int lkey(int i) {
        return regions.get(i / slab).lkey();
    }

    int size() {
        return out.length;
    }

    int free() {
        return count;
    }
}
