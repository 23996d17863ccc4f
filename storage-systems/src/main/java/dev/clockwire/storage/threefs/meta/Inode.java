package dev.clockwire.storage.threefs.meta;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A file.
 *
 * @param id number, from 1 to 2^31 - 1
 * @param length bytes
 * @param chunkBytes bytes of a chunk, a power of two
 * @param firstChain chain of its first chunk; the next chunk is in the next chain
 * @param chains how many chains it lies in
 */
public record Inode(long id, long length, int chunkBytes, int firstChain, int chains) {
    private static final long MOST = Integer.MAX_VALUE;

    /** Checks the ranges. */
    public Inode {
        if (id < 1 || id > MOST || length < 0 || Integer.bitCount(chunkBytes) != 1 || firstChain < 1 || chains < 1) {
            throw new ConfigurationException("file " + id + " of " + length + " B in chunks of " + chunkBytes
                    + " B from chain " + firstChain + " of " + chains);
        }
    }

    /** Returns the number of the chunk with a byte. */
    public int index(long offset) {
        return (int) (offset / chunkBytes);
    }

    /** Returns the name of a chunk: the file and its place in it. */
    public long key(int index) {
        return id << Integer.SIZE | index;
    }

    /** Returns the chain of a chunk, from 1. */
    public int chain(int index) {
        return 1 + (firstChain - 1 + index) % chains;
    }

    /** Returns a copy of another length. */
    public Inode withLength(long other) {
        return new Inode(id, other, chunkBytes, firstChain, chains);
    }
}
