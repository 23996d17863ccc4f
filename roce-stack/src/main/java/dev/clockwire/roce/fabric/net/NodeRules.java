package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What single nodes of a fabric have otherwise than all.
 *
 * @param bridges switches by name
 * @param ports what their ports have, by the switch's name
 * @param hosts hosts by name
 */
public record NodeRules(Map<String, BridgeSpec> bridges, Map<String, PortRule> ports, Map<String, LightSpec> hosts) {
    /** Nothing. */
    public static final NodeRules NONE =
            new NodeRules(Collections.emptyMap(), Collections.emptyMap(), Collections.emptyMap());

    /** Copies the maps. */
    public NodeRules {
        bridges = Collections.unmodifiableMap(new TreeMap<>(bridges));
        ports = Collections.unmodifiableMap(new TreeMap<>(ports));
        hosts = Collections.unmodifiableMap(new TreeMap<>(hosts));
    }

    /** Complains about names that a topology does not have. */
    void check(Topology topology) {
        bridges.keySet().forEach(n -> known("switch", n, topology.switches()));
        ports.keySet().forEach(n -> known("switch", n, topology.switches()));
        hosts.keySet().forEach(n -> known("host", n, topology.hosts()));
    }

    private static void known(String kind, String name, Collection<String> names) {
        if (!names.contains(name)) {
            throw new ConfigurationException("no " + kind + " is called " + name + Nearest.hint(name, names));
        }
    }
}
