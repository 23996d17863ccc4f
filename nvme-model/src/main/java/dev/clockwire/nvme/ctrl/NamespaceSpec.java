package dev.clockwire.nvme.ctrl;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A namespace.
 *
 * @param blockBytes a power of two, 512 to 65536
 * @param blocks 1 or more
 */
public record NamespaceSpec(int blockBytes, long blocks) {
    private static final int LEAST = 512;
    private static final int MOST = 1 << 16;

    /** Checks the ranges. */
    public NamespaceSpec {
        if (blockBytes < LEAST || blockBytes > MOST || Integer.bitCount(blockBytes) != 1 || blocks < 1) {
            throw new ConfigurationException("namespace of " + blocks + " blocks of " + blockBytes
                    + " B: a block is a power of two from " + LEAST + " to " + MOST + ", and there is 1 at least");
        }
    }
}
