package dev.clockwire.nic.driver;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How a program opens the Ethernet queues.
 *
 * @param queues send queues, and as many receive queues; each pair has a completion queue
 * @param logSends log2 of the entries of a send queue
 * @param logReceives log2 of the entries of a receive queue, each with a buffer
 * @param mtu bytes behind the Ethernet header, 46 to 9978
 */
public record EthernetSpec(int queues, int logSends, int logReceives, int mtu) {
    private static final int MAX_LOG = 14;
    private static final int MIN_MTU = 46;
    private static final int MAX_MTU = 9978;

    /** Checks the ranges. */
    public EthernetSpec {
        range("queues", queues, 1, 64);
        range("log2 of sends", logSends, 1, MAX_LOG);
        range("log2 of receives", logReceives, 1, MAX_LOG);
        range("MTU", mtu, MIN_MTU, MAX_MTU);
    }

    /** Returns queues of 256 sends and 256 receives, MTU 1500. */
    public static EthernetSpec of(int queues) {
        return new EthernetSpec(queues, 8, 8, 1500);
    }

    private static void range(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ConfigurationException(
                    "Ethernet queues: " + what + " " + value + " is not in " + min + ".." + max);
        }
    }
}
