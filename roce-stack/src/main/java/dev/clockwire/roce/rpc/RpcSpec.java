package dev.clockwire.roce.rpc;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The buffers of an endpoint; both ends of a connection have the same.
 *
 * @param slots receives posted, and messages on their way out, at least 2
 * @param messageBytes bytes of the longest call or answer
 */
public record RpcSpec(int slots, int messageBytes) {
    private static final int MOST_SLOTS = 0x7FFF;
    private static final int MOST_BYTES = 1 << 24;

    /** Checks the ranges. */
    public RpcSpec {
        if (slots < 2 || slots > MOST_SLOTS || messageBytes < 1 || messageBytes > MOST_BYTES) {
            throw new ConfigurationException("RPC with " + slots + " slots of " + messageBytes + " bytes: must be 2 to "
                    + MOST_SLOTS + " slots of 1 to " + MOST_BYTES + " bytes");
        }
    }

    /** Returns the bytes of a slot. */
    int slotBytes() {
        return RpcHeader.BYTES + messageBytes;
    }

    /** Returns the bytes of registered memory that an endpoint needs. */
    public long bufferBytes() {
        return 2L * slots * slotBytes();
    }
}
