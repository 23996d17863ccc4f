package dev.clockwire.roce.fabric.bridge;

import java.util.List;
import java.util.TreeSet;

/**
 * What a switch does not let in.
 *
 * @param mtu bytes behind the Ethernet header that a frame may have, 68 (RFC 791) to 16384
 * @param deniedUdp UDP destination ports that its packet filter denies, ascending
 */
public record IngressSpec(int mtu, List<Integer> deniedUdp) {
    /** The largest MTU: nothing that is simulated is too long. */
    public static final int LARGEST = 16_384;

    /** Lets everything in. */
    public static final IngressSpec OPEN = new IngressSpec(LARGEST, List.of());

    private static final int LEAST = 68;
    private static final int PORTS = 65_535;

    /** Checks the ranges. */
    public IngressSpec {
        Ranges.range("MTU of a switch in bytes", mtu, LEAST, LARGEST);
        deniedUdp.forEach(port -> Ranges.range("denied UDP port", port, 1, PORTS));
        deniedUdp = List.copyOf(new TreeSet<>(deniedUdp));
    }

    boolean denies(int udpPort) {
        return udpPort != 0 && !deniedUdp.isEmpty() && deniedUdp.contains(udpPort);
    }
}
