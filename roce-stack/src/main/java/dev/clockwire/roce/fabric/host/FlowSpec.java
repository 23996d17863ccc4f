package dev.clockwire.roce.fabric.host;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Bytes that go from one host to another.
 *
 * @param name unique in a fabric
 * @param src number of the sending host
 * @param dst number of the receiving host, another
 * @param bytes 1 to 2^50
 * @param startPs when it starts
 * @param dscp code point of its data, -1 = that of all
 */
public record FlowSpec(String name, int src, int dst, long bytes, long startPs, int dscp) {
    private static final long MAX_BYTES = 1L << 50;

    /** Checks the ranges. */
    public FlowSpec {
        if (src == dst || src < 0 || dst < 0) {
            throw new ConfigurationException("flow " + name + ": from host " + src + " to host " + dst + " is no way");
        }
        if (bytes < 1 || bytes > MAX_BYTES) {
            throw new ConfigurationException("flow " + name + ": " + bytes + " bytes are not in 1.." + MAX_BYTES);
        }
        if (startPs < 0) {
            throw new ConfigurationException("flow " + name + ": starts " + -startPs + " ps before time 0");
        }
        if (dscp < -1 || dscp > 63) {
            throw new ConfigurationException("flow " + name + ": DSCP " + dscp + " is not in 0..63");
        }
    }
}
