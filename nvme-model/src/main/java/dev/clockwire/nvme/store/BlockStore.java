package dev.clockwire.nvme.store;

import dev.clockwire.sim.mem.Payload;

/** The content of a namespace. Blocks never written are zeros. Callers have checked the range. */
public interface BlockStore {
    /** Returns the bytes of a block, a power of two. */
    int blockBytes();

    /** Returns the number of blocks. */
    long blocks();

    /** Appends the content of some blocks to a payload. */
    void read(long slba, int count, Payload into);

    /** Writes some blocks; their content begins at a position of a payload. */
    void write(long slba, int count, Payload from, int off);

    /** Makes some blocks zeros: what a deallocated or zeroed block reads as. */
    void zero(long slba, long count);
}
