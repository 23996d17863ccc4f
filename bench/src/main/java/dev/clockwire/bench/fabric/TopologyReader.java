package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads who is joined to whom: a {@code topology} of a known kind, or {@code nodes} and {@code links}. */
final class TopologyReader {
    private static final List<String> KINDS =
            List.of("back-to-back", "star", "dumbbell", "parking-lot", "leaf-spine", "ring");
    private static final List<String> ALL = List.of("kind", "gbps", "delay_us");
    private static final int MOST = 100_000;
    private static final double MIN_GBPS = 0.001; // what rates of DCQCN go down to
    private static final double MAX_GBPS = 8_000;
    private static final double KBPS = 1e6;
    private static final double PS = 1e6;

    private final YamlValue value;
    private final long kbps;
    private final long upKbps;
    private final long delayPs;

    private TopologyReader(YamlValue value) {
        this.value = value;
        Map<String, YamlValue> keys = value.map(keys(value.get("kind")));
        kbps = keys.containsKey("gbps") ? kbps(keys.get("gbps")) : kbps(100);
        upKbps = keys.containsKey("up_gbps") ? kbps(keys.get("up_gbps")) : kbps;
        delayPs = keys.containsKey("delay_us") ? delay(keys.get("delay_us")) : (long) PS;
    }

    /** Returns the keys that mean something for a kind. */
    private static List<String> keys(YamlValue kind) {
        List<String> own = switch (kind.text()) {
            case "back-to-back" -> List.of();
            case "star" -> List.of("hosts");
            case "dumbbell" -> List.of("left", "right", "up_gbps");
            case "parking-lot", "ring" -> List.of("switches", "hosts");
            case "leaf-spine" -> List.of("leaves", "spines", "hosts", "up_gbps");
            default -> throw kind.unknown("kind of topology", kind.text(), KINDS);
        };
        return Stream.concat(ALL.stream(), own.stream()).toList();
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
            case "parking-lot" -> Topology.parkingLot(groups("switches", 1, 0), count("hosts", 1), kbps, delayPs);
            case "ring" -> Topology.ring(circle(), count("hosts", 1), kbps, delayPs);
            case "leaf-spine" ->
                Topology.leafSpine(
                        groups("leaves", 1, count("spines", 1)),
                        count("spines", 1),
                        count("hosts", 1),
                        kbps,
                        upKbps,
                        delayPs);
            default -> throw kind.unknown("kind of topology", kind.text(), KINDS);
        };
    }

    /** Returns how many switches have hosts, after a look at how many nodes and links there would be. */
    private int groups(String key, int least, int spines) {
        int groups = count(key, least);
        long links = (long) groups * (count("hosts", 1) + (long) spines);
        if (links > MOST) {
            throw value.error("this has " + links + " links or more: " + MOST + " are the most");
        }
        return groups;
    }

    /** Two switches have no circle, only a cable twice. */
    private int circle() {
        if (count("switches", 1) < 3) {
            throw value.get("switches")
                    .error(value.get("switches").text() + " switches are no circle: a ring has 3 or more;"
                            + " for two there is kind dumbbell, for two cables between them nodes and links");
        }
        return groups("switches", 3, 0);
    }

    private int count(String key, int least) {
        return (int) value.get(key).integer(least, MOST);
    }

    private static Topology drawn(YamlValue root) {
        YamlValue nodes = root.get("nodes");
        nodes.map(List.of("hosts", "switches"));
        List<String> hosts =
                nodes.get("hosts").list().stream().map(TopologyReader::name).toList();
        List<String> switches = nodes.find("switches")
                .map(s -> s.list().stream().map(TopologyReader::name).toList())
                .orElse(List.of());
        List<CableSpec> cables = new ArrayList<>();
        for (YamlValue link : root.get("links").list()) {
            cables.add(FabricFile.at(link, () -> cable(link)));
        }
        return FabricFile.at(root.get("links"), () -> new Topology(hosts, switches, cables));
    }

    /** Returns the name of a node or flow: reports and tables print it in a line. */
    static String name(YamlValue value) {
        String name = value.text();
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
            throw value.error(
                    "'" + name.replaceAll("\\p{Cntrl}", "?") + "' is no name: it needs a letter, no line ends");
        }
        return name;
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
        return kbps(gbps.number(MIN_GBPS, MAX_GBPS));
    }

    private static long kbps(double gbps) {
        return Math.round(gbps * KBPS);
    }

    private static long delay(YamlValue us) {
        return Math.max(1, Math.round(us.number(1e-6, 1e6) * PS));
    }
}
