package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads who is joined to whom: a {@code topology} of a known kind, or {@code nodes} and {@code links}. */
final class TopologyReader {
    private static final List<String> KINDS =
            List.of("back-to-back", "star", "dumbbell", "parking-lot", "leaf-spine", "ring");
    private static final List<String> KEYS =
            List.of("kind", "hosts", "left", "right", "switches", "leaves", "spines", "gbps", "up_gbps", "delay_us");
    private static final int MOST = 100_000;
    private static final double MAX_GBPS = 10_000;
    private static final double KBPS = 1e6;
    private static final double PS = 1e6;

    private final YamlValue value;
    private final long kbps;
    private final long upKbps;
    private final long delayPs;

    private TopologyReader(YamlValue value) {
        this.value = value;
        Map<String, YamlValue> keys = value.map(KEYS);
        kbps = keys.containsKey("gbps") ? kbps(keys.get("gbps")) : kbps(100);
        upKbps = keys.containsKey("up_gbps") ? kbps(keys.get("up_gbps")) : kbps;
        delayPs = keys.containsKey("delay_us") ? delay(keys.get("delay_us")) : (long) PS;
    }

    static Topology read(YamlValue root) {
        Optional<YamlValue> known = root.find("topology");
        if (known.isPresent()) {
            if (root.find("nodes").isPresent() || root.find("links").isPresent()) {
                throw root.error("a fabric has 'topology', or 'nodes' and 'links'");
            }
            return FabricFile.at(known.get(), () -> new TopologyReader(known.get()).known());
        }
        return drawn(root);
    }

    private Topology known() {
        YamlValue kind = value.get("kind");
        return switch (kind.text()) {
            case "back-to-back" ->
                new Topology(
                        List.of("host0", "host1"),
                        List.of(),
                        List.of(new CableSpec("host0", "host1", kbps, delayPs, 0)));
            case "star" -> Topology.star(count("hosts", 2), kbps, delayPs);
            case "dumbbell" -> Topology.dumbbell(count("left", 1), count("right", 1), kbps, upKbps, delayPs);
            case "parking-lot" -> Topology.parkingLot(count("switches", 1), count("hosts", 1), kbps, delayPs);
            case "ring" -> Topology.ring(count("switches", 3), count("hosts", 1), kbps, delayPs);
            case "leaf-spine" ->
                Topology.leafSpine(count("leaves", 1), count("spines", 1), count("hosts", 1), kbps, upKbps, delayPs);
            default -> throw kind.unknown("kind of topology", kind.text(), KINDS);
        };
    }

    private int count(String key, int least) {
        return (int) value.get(key).integer(least, MOST);
    }

    private static Topology drawn(YamlValue root) {
        YamlValue nodes = root.get("nodes");
        nodes.map(List.of("hosts", "switches"));
        List<String> hosts =
                nodes.get("hosts").list().stream().map(YamlValue::text).toList();
        List<String> switches = nodes.find("switches")
                .map(s -> s.list().stream().map(YamlValue::text).toList())
                .orElse(List.of());
        List<CableSpec> cables = new ArrayList<>();
        for (YamlValue link : root.get("links").list()) {
            cables.add(FabricFile.at(link, () -> cable(link)));
        }
        return FabricFile.at(root.get("links"), () -> new Topology(hosts, switches, cables));
    }

    private static CableSpec cable(YamlValue link) {
        Map<String, YamlValue> keys = link.map(List.of("between", "gbps", "delay_us", "loss"));
        List<YamlValue> ends = link.get("between").list();
        if (ends.size() != 2) {
            throw link.get("between").error("a link is between two nodes, found " + ends.size());
        }
        double loss = keys.containsKey("loss") ? keys.get("loss").number(0, 1) : 0;
        return new CableSpec(
                ends.get(0).text(), ends.get(1).text(), kbps(link.get("gbps")), delay(link.get("delay_us")), loss);
    }

    private static long kbps(YamlValue gbps) {
        return kbps(gbps.number(1e-6, MAX_GBPS));
    }

    private static long kbps(double gbps) {
        return Math.round(gbps * KBPS);
    }

    private static long delay(YamlValue us) {
        return Math.max(1, Math.round(us.number(1e-6, 1e6) * PS));
    }
}
