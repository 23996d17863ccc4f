package dev.clockwire.roce.wire;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Priority flow control of a port, as DCBX tells it: IEEE 802.1Qaz, annex D, subtype 11.
 *
 * @param willing the port may take over what the far end does
 * @param bypass it can leave MACsec out for the delay's sake
 * @param capacity traffic classes that can have it at a time, 0 to 15; 0 = all eight
 * @param enabled bit n: priority n has it
 */
public record PfcSettings(boolean willing, boolean bypass, int capacity, int enabled) {
    private static final int MOST = 15;

    /** Checks the ranges. */
    public PfcSettings {
        if (capacity < 0 || capacity > MOST) {
            throw new ConfigurationException("traffic classes with PFC " + capacity + " is not in 0..15");
        }
        if (enabled < 0 || enabled > 0xFF) {
            throw new ConfigurationException("priorities with PFC " + enabled + " is not in 0..255");
        }
    }
}
