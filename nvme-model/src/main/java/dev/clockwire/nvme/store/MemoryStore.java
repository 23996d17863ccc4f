package dev.clockwire.nvme.store;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Blocks in memory; only what was written takes room. In mode {@link PayloadMode#SIZES} data that come as extents stay extents. */
public final class MemoryStore implements BlockStore, State {
    private static final int SMALLEST = 512;
    private static final int LARGEST = 1 << 16;
    private static final long MOST_BYTES = 1L << 46;

    private final AddressSpace space;
    private final long base;
    private final int blockBytes;
    private final long blocks;

    /**
     * Creates a store of zeros.
     *
     * @param name for errors
     * @param blockBytes a power of two, 512 to 65536
     * @param blocks 1 or more; at most 64 TiB in all
     */
    public MemoryStore(String name, int blockBytes, long blocks, PayloadMode mode) {
        if (blockBytes < SMALLEST || blockBytes > LARGEST || Integer.bitCount(blockBytes) != 1) {
            throw new ConfigurationException(
                    "blocks of " + blockBytes + " B: must be a power of two, " + SMALLEST + " to " + LARGEST);
        }
        if (blocks < 1 || blocks > MOST_BYTES / blockBytes) {
            throw new ConfigurationException(
                    blocks + " blocks of " + blockBytes + " B: must be 1 to " + MOST_BYTES / blockBytes);
        }
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        space = new AddressSpace(name, mode);
        base = space.allocate(name, blocks * blockBytes, Allocation.Kind.BULK).address();
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blocks() {
        return blocks;
    }

    @Override
    public void read(long slba, int count, Payload into) {
        space.read(base + slba * blockBytes, count * blockBytes, into);
    }

    @Override
    public void write(long slba, int count, Payload from, int off) {
        space.write(base + slba * blockBytes, from, off, count * blockBytes);
    }

    @Override
    public void zero(long slba, long count) {
        space.fill(base + slba * blockBytes, count * blockBytes, 0, 0);
    }

    @Override
    public void save(Snapshot out) {
        space.save(out);
    }

    @Override
    public void load(Snapshot in) {
        space.load(in);
    }
}
