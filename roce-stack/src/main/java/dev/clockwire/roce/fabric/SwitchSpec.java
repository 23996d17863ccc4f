package dev.clockwire.roce.fabric;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A switch without limits of its own: every output holds what waits for it.
 *
 * @param latencyPs from a frame's last bit (or first, if it cuts through) until its first bit may leave, in ps
 * @param cutThrough a frame leaves while it still arrives, unless the output is the faster line
 */
public record SwitchSpec(long latencyPs, boolean cutThrough) {
    private static final long MAX_PS = 1_000_000_000L;

    /** Checks the range. */
    public SwitchSpec {
        if (latencyPs < 1 || latencyPs > MAX_PS) {
            throw new ConfigurationException("switch latency " + latencyPs + " ps: must be 1.." + MAX_PS);
        }
    }
}
