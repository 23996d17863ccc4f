package dev.clockwire.nic.ether;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A rule of {@code ethtool -N}: which frames it is about, and where they go. A field of which all mask bits are set is not looked at.
 *
 * @param location place in the table: the rule of the lowest location that fits wins
 * @param etherType EtherType, or -1
 * @param protocol IP protocol, or -1
 * @param srcIp IPv4 source
 * @param srcIgnored bits of the source not looked at
 * @param dstIp IPv4 destination
 * @param dstIgnored bits of the destination not looked at
 * @param srcPort TCP or UDP source port, or -1
 * @param dstPort TCP or UDP destination port, or -1
 * @param action receive queue, or {@link #DROP}
 */
public record FlowRule(
        int location,
        int etherType,
        int protocol,
        int srcIp,
        int srcIgnored,
        int dstIp,
        int dstIgnored,
        int srcPort,
        int dstPort,
        int action) {
    /** Action: the frame goes nowhere. */
    public static final int DROP = -1;
    /** Rules of a table. */
    public static final int LOCATIONS = 1024;

    private static final int ANY = -1;

    /** Checks the ranges. */
    public FlowRule {
        range("loc", location, 0, LOCATIONS - 1);
        range("action", action, DROP, Integer.MAX_VALUE);
        range("proto", etherType, ANY, 0xFFFF);
        range("l4proto", protocol, ANY, 0xFF);
        range("src-port", srcPort, ANY, 0xFFFF);
        range("dst-port", dstPort, ANY, 0xFFFF);
    }

    private static void range(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ConfigurationException("flow rule: " + what + " " + value + " is not in " + min + ".." + max);
        }
    }

    /** Whether the rule is about a frame. */
    public boolean fits(FrameFields f) {
        boolean addresses = f.etherType == FrameFields.IPV4
                && ((f.srcIp ^ srcIp) & ~srcIgnored) == 0
                && ((f.dstIp ^ dstIp) & ~dstIgnored) == 0;
        return (etherType == ANY || etherType == f.etherType)
                && (protocol == ANY || protocol == f.protocol)
                && (srcPort == ANY || srcPort == f.srcPort)
                && (dstPort == ANY || dstPort == f.dstPort)
                && (addresses || (srcIgnored == ANY && dstIgnored == ANY));
    }

    /**
     * Reads a rule as {@code ethtool -N DEV} takes it: {@code flow-type ether|ip4|tcp4|udp4 [proto N] [src-ip A [m MASK]] [dst-ip A [m MASK]]
     * [src-port N] [dst-port N] [l4proto N] action N [loc N]}. The mask's set bits are not looked at. Without {@code loc} the rule is behind
     * all that have one.
     *
     * @throws ConfigurationException naming the word that is not understood
     */
    public static FlowRule parse(String text) {
        return new FlowRuleText(text).read();
    }
}
