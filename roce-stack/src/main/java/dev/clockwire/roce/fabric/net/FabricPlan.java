package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;

/**
 * What lies between hosts.
 *
 * @param topology who is joined to whom
 * @param framing what a frame costs on every line besides itself
 * @param bridge what all switches have in common
 * @param ports what a port of a switch has, by its cable
 * @param nodes what single switches have otherwise
 */
public record FabricPlan(Topology topology, Framing framing, BridgeSpec bridge, PortRule ports, NodeRules nodes) {
    /** Returns what a switch has. */
    public BridgeSpec bridge(String name) {
        return nodes.bridges().getOrDefault(name, bridge);
    }

    /** Returns what the ports of a switch have. */
    public PortRule ports(String name) {
        return nodes.ports().getOrDefault(name, ports);
    }
}
