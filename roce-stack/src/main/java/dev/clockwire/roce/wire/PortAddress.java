package dev.clockwire.roce.wire;

/**
 * The addresses of an Ethernet port.
 *
 * @param mac 48 bits
 * @param ipv4 first octet on top
 * @param ipv6Hi upper half of the IPv6 address
 * @param ipv6Lo lower half
 */
public record PortAddress(long mac, int ipv4, long ipv6Hi, long ipv6Lo) {
    /** Tells whether a frame goes to this port's IP address. */
    public boolean isDestinationOf(FlowAddress flow) {
        return flow.encapsulation == Encapsulation.IPV4
                ? flow.dstIpv4() == ipv4
                : flow.dstHi == ipv6Hi && flow.dstLo == ipv6Lo;
    }

    /** Makes this port the source of a flow. */
    public void stamp(FlowAddress flow) {
        flow.srcMac = mac;
        if (flow.encapsulation == Encapsulation.IPV4) {
            flow.setIpv4(ipv4, flow.dstIpv4());
        } else {
            flow.setIpv6(ipv6Hi, ipv6Lo, flow.dstHi, flow.dstLo);
        }
    }
}
