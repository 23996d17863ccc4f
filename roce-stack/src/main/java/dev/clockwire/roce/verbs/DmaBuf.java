package dev.clockwire.roce.verbs;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Memory of another device that its driver lends (a dma-buf in Linux): a range of its BAR. Cores cannot use it as memory.
 *
 * @param name for messages, such as {@code ssd0.cmb}
 * @param address first byte, as devices call it on the bus
 * @param length bytes, at least 1
 */
public record DmaBuf(String name, long address, long length) {
    /** Checks the range. */
    public DmaBuf {
        if (length < 1 || Long.compareUnsigned(address + length - 1, address) < 0) {
            throw new ConfigurationException("memory " + name + " at 0x" + Long.toHexString(address) + ": a length of "
                    + length + " bytes: must be 1 to the end of all addresses");
        }
    }
}
