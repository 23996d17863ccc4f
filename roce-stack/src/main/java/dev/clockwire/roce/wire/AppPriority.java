package dev.clockwire.roce.wire;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Which priority an application's packets should have, as DCBX tells it: IEEE 802.1Qaz, annex D, subtype 12.
 *
 * @param priority 0 to 7
 * @param selector what the protocol is a number of: 1 an EtherType, 2 a TCP or SCTP port, 3 a UDP or DCCP port, 4 a port of any of them, 5 a DSCP
 * @param protocol 0 to 65535
 */
public record AppPriority(int priority, int selector, int protocol) {
    /** RoCE v2: UDP port 4791. */
    public static AppPriority roce(int priority) {
        return new AppPriority(priority, 3, 4791);
    }

    /** Checks the ranges. */
    public AppPriority {
        if (priority < 0 || priority > 7 || selector < 0 || selector > 7 || protocol < 0 || protocol > 0xFFFF) {
            throw new ConfigurationException("application priority " + priority + ", selector " + selector
                    + ", protocol " + protocol + " is not in 0..7, 0..7, 0..65535");
        }
    }
}
