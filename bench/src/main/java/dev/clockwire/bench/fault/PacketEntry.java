package dev.clockwire.bench.fault;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.nic.lab.PacketFaults;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.PacketFault;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** An entry of a fault file about packets between a host and its device: {@code drop: tlp} and its kin. */
final class PacketEntry {
    /** What can happen to packets of the transaction layer. */
    static final List<String> ACTIONS = List.of("drop", "delay", "corrupt", "poison", "malform", "ur", "ca");

    /** Whom an action can be about, besides frames. */
    static final List<String> OBJECTS = List.of("tlp", "dllp");

    /** Which packets. */
    static final Shape MATCH = Shape.of().required("type", Kind.text(), "kind of packet, such as MRd or CplD");

    static final List<String> DIRECTIONS = List.of("upstream", "downstream");
    private static final List<String> KEYS = List.of("packets", "host", "direction", "match", "for_us", "name");

    private PacketEntry() {}

    /** Reads an entry whose action and name are known. */
    static FaultRule rule(
            String action, YamlValue entry, Map<String, YamlValue> keys, FaultTrigger packets, FaultPlaces places) {
        for (Map.Entry<String, YamlValue> key : keys.entrySet()) {
            if (!key.getKey().equals(action) && !KEYS.contains(key.getKey())) {
                throw key.getValue()
                        .error("'" + key.getKey() + "' means nothing for packets on PCIe: they have "
                                + String.join(", ", KEYS));
            }
        }
        boolean dllp = entry.get(action).text().equals("dllp");
        if (dllp && !action.equals("corrupt")) {
            throw entry.get(action).error("a dllp can only be corrupted");
        }
        if (keys.containsKey("for_us") && !action.equals("delay")) {
            throw keys.get("for_us").error("'for_us' goes with 'delay' of a tlp only");
        }
        String suffix = action.equals("corrupt") ? dllp ? "_DLLP" : "_TLP" : "";
        PacketFault what = PacketFault.valueOf(action.toUpperCase(Locale.ROOT) + suffix);
        boolean toHost = one(entry.get("direction"), "direction", DIRECTIONS).equals("upstream");
        YamlValue host = entry.get("host");
        String node = places.nodes().get(host.text());
        if (node == null) {
            throw host.unknown("node", host.text(), new TreeSet<>(places.nodes().keySet()));
        }
        FaultRule rule = FaultRule.of(new FaultAction.OnPacket(what, node, toHost, type(action, entry, keys)), packets)
                .named(keys.containsKey("name") ? keys.get("name").text() : "");
        rule = keys.containsKey("for_us") ? rule.lasting(FaultFile.time(keys.get("for_us"))) : rule;
        try {
            PacketFaults.check(rule);
        } catch (ConfigurationException e) {
            throw keys.getOrDefault("match", entry).error(String.valueOf(e.getMessage()));
        }
        return rule;
    }

    private static String type(String action, YamlValue entry, Map<String, YamlValue> keys) {
        if (action.equals("corrupt")) {
            if (keys.containsKey("match")) {
                throw keys.get("match").error("a wrong bit hits whatever passes: 'match' means nothing for it");
            }
            return "";
        }
        YamlValue match = entry.get("match");
        match.entries(MATCH);
        return match.get("type").text();
    }

    private static String one(YamlValue value, String kind, List<String> valid) {
        if (!valid.contains(value.text())) {
            throw value.unknown(kind, value.text(), valid);
        }
        return value.text();
    }
}
