package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import org.jspecify.annotations.Nullable;

/**
 * What lies between hosts.
 *
 * @param topology who is joined to whom
 * @param framing what a frame costs on every line besides itself
 * @param bridge what all switches have in common
 * @param ports what a port of a switch has, by its cable
 * @param nodes what single switches have otherwise
 * @param dcbx which ports exchange settings; null = none
 */
public record FabricPlan(
        Topology topology,
        Framing framing,
        BridgeSpec bridge,
        PortRule ports,
        NodeRules nodes,
        @Nullable DcbxPlan dcbx) {
    /** A fabric in which nobody speaks LLDP. */
    public FabricPlan(Topology topology, Framing framing, BridgeSpec bridge, PortRule ports, NodeRules nodes) {
        this(topology, framing, bridge, ports, nodes, null);
    }

    /** Returns what a switch has. */
    public BridgeSpec bridge(String name) {
        return nodes.bridges().getOrDefault(name, bridge);
    }

    /** Returns what the ports of a switch have. */
    public PortRule ports(String name) {
        return nodes.ports().getOrDefault(name, ports);
    }
}
