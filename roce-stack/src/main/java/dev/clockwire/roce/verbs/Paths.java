package dev.clockwire.roce.verbs;

import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.PortAddress;
import java.util.OptionalLong;

/** From an address vector to the addresses in a frame: every provider resolves alike, so frames do not depend on it. */
public final class Paths {
    private static final int FIRST_PORT = 0xC000;
    private static final int PORT_MASK = 0x3FFF;
    private static final int GOLDEN = 0x9E3779B1;

    private Paths() {}

    /**
     * Fills the addresses of the frames of a path. The UDP source port is made of both QP numbers, so that the flows of a
     * pair of hosts differ; it stays the same for the life of a connection.
     *
     * @param neighbours who has which address
     * @param port where the path starts
     * @return false if nobody has the address
     */
    public static boolean resolve(
            Neighbours neighbours, PortAddress port, AddressVector to, int localQpn, int remoteQpn, FlowAddress out) {
        Gid gid = to.dgid();
        OptionalLong mac = neighbours.resolve(gid);
        if (mac.isEmpty()) {
            return false;
        }
        out.reset();
        out.srcMac = port.mac();
        out.dstMac = mac.getAsLong();
        if (gid.isIpv4()) {
            out.setIpv4(port.ipv4(), gid.ipv4());
        } else {
            out.setIpv6(port.ipv6Hi(), port.ipv6Lo(), gid.hi(), gid.lo());
        }
        out.setTrafficClass(to.trafficClass());
        out.hopLimit = to.hopLimit();
        out.flowLabel = to.flowLabel();
        int label = to.flowLabel();
        int hash = label != 0 ? label ^ (label >>> 14) : (((localQpn * GOLDEN) ^ remoteQpn) * GOLDEN) >>> 18;
        out.udpSourcePort = FIRST_PORT | (hash & PORT_MASK);
        return true;
    }
}
