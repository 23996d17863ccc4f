package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A fabric of light endpoints.
 *
 * @param topology who is joined to whom
 * @param framing what a frame costs on every line besides itself
 * @param bridge what all switches have in common
 * @param ports what a port of a switch has, by its cable
 * @param light what all hosts have in common
 * @param flows what is sent
 * @param nodes what single nodes have otherwise
 * @param dcbx which ports exchange settings; null = none
 */
public record NetworkSpec(
        Topology topology,
        Framing framing,
        BridgeSpec bridge,
        PortRule ports,
        LightSpec light,
        List<FlowSpec> flows,
        NodeRules nodes,
        @Nullable DcbxPlan dcbx) {
    /** Checks that flows have names of their own and hosts that exist. */
    public NetworkSpec {
        flows = List.copyOf(flows);
        nodes.check(topology);
        int hosts = topology.hosts().size();
        Set<String> seen = new TreeSet<>();
        for (FlowSpec flow : flows) {
            if (!seen.add(flow.name())) {
                throw new ConfigurationException("two flows are called " + flow.name());
            }
            int most = Math.max(flow.src(), flow.dst());
            if (most >= hosts) {
                String text = "flow " + flow.name() + ": host number " + most + " is not in 0.." + (hosts - 1);
                throw new ConfigurationException(text);
            }
        }
    }

    /** A fabric in which all switches are alike, and all hosts. */
    public NetworkSpec(
            Topology topology,
            Framing framing,
            BridgeSpec bridge,
            PortRule ports,
            LightSpec light,
            List<FlowSpec> flows) {
        this(topology, framing, bridge, ports, light, flows, NodeRules.NONE, null);
    }

    /** Returns what lies between the hosts. */
    public FabricPlan plan() {
        return new FabricPlan(topology, framing, bridge, ports, nodes, dcbx);
    }

    /** Returns what a host has. */
    public LightSpec light(String name) {
        return nodes.hosts().getOrDefault(name, light);
    }

    /** Returns the bytes of the longest frame that a host sends, as captured. */
    public int longestFrame() {
        int most = light.payload() + light.headerBytes();
        for (LightSpec other : nodes.hosts().values()) {
            most = Math.max(most, other.payload() + other.headerBytes());
        }
        return most;
    }

    /** Returns a copy with other flows. */
    public NetworkSpec withFlows(List<FlowSpec> other) {
        return new NetworkSpec(topology, framing, bridge, ports, light, other, nodes, dcbx);
    }

    /** Returns a copy with other switches. */
    public NetworkSpec withBridge(BridgeSpec other) {
        return new NetworkSpec(topology, framing, other, ports, light, flows, nodes, dcbx);
    }

    /** Returns a copy with other ports. */
    public NetworkSpec withPorts(PortRule other) {
        return new NetworkSpec(topology, framing, bridge, other, light, flows, nodes, dcbx);
    }

    /** Returns a copy with other hosts. */
    public NetworkSpec withLight(LightSpec other) {
        return new NetworkSpec(topology, framing, bridge, ports, other, flows, nodes, dcbx);
    }

    /** Returns a copy in which single nodes differ. */
    public NetworkSpec withNodes(NodeRules other) {
        return new NetworkSpec(topology, framing, bridge, ports, light, flows, other, dcbx);
    }

    /** Returns a copy whose ports exchange settings, or, with null, do not. */
    public NetworkSpec withDcbx(@Nullable DcbxPlan other) {
        return new NetworkSpec(topology, framing, bridge, ports, light, flows, nodes, other);
    }
}
