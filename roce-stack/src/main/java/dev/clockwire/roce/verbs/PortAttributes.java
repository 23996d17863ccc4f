package dev.clockwire.roce.verbs;

import java.util.List;

/**
 * What a port is ({@code ibv_port_attr}).
 *
 * @param active the link is up
 * @param maxMtu the largest MTU of the port
 * @param activeMtu the MTU in use: the largest that a path may have
 * @param maxMessage bytes of the longest message, 1 to 2^31
 * @param gbps rate of the link in Gbit/s
 * @param gids own identifiers, by index
 */
public record PortAttributes(boolean active, Mtu maxMtu, Mtu activeMtu, long maxMessage, double gbps, List<Gid> gids) {
    /** Copies the list. */
    public PortAttributes {
        gids = List.copyOf(gids);
    }

    /** Returns a copy whose link is up or down. */
    public PortAttributes withActive(boolean up) {
        return new PortAttributes(up, maxMtu, activeMtu, maxMessage, gbps, gids);
    }
}
