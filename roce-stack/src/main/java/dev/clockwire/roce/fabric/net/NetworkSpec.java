package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A fabric of light endpoints.
 *
 * @param topology who is joined to whom
 * @param framing what a frame costs on every line besides itself
 * @param bridge what all switches have in common
 * @param ports what a port of a switch has, by its cable
 * @param light what all hosts have in common
 * @param flows what is sent
 */
public record NetworkSpec(
        Topology topology, Framing framing, BridgeSpec bridge, PortRule ports, LightSpec light, List<FlowSpec> flows) {
    /** Checks that flows have names of their own and hosts that exist. */
    public NetworkSpec {
        flows = List.copyOf(flows);
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

    /** Returns a copy with other flows. */
    public NetworkSpec withFlows(List<FlowSpec> other) {
        return new NetworkSpec(topology, framing, bridge, ports, light, other);
    }

    /** Returns a copy with other switches. */
    public NetworkSpec withBridge(BridgeSpec other) {
        return new NetworkSpec(topology, framing, other, ports, light, flows);
    }

    /** Returns a copy with other ports. */
    public NetworkSpec withPorts(PortRule other) {
        return new NetworkSpec(topology, framing, bridge, other, light, flows);
    }

    /** Returns a copy with other hosts. */
    public NetworkSpec withLight(LightSpec other) {
        return new NetworkSpec(topology, framing, bridge, ports, other, flows);
    }
}
