package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads who is joined to whom: a {@code topology} of a known kind, or {@code nodes} and {@code links}. */
final class TopologyReader {
    private static final int MOST = 100_000;
    private static final double MIN_GBPS = 0.001; // what rates of DCQCN go down to
    private static final double MAX_GBPS = 8_000;
    private static final double KBPS = 1e6;
    private static final double PS = 1e6;

    private static final Kind GBPS = Kind.number(MIN_GBPS, MAX_GBPS);
    private static final Kind DELAY = Kind.number(1e-6, 1e6);
    /** What a kind of topology has: two hosts, many on a switch, switches in a row, ... */
    static final Kind KNOWN = new Kind.Variants("kind", "kind of topology", kinds());

    private static final Shape NODES = Shape.of()
            .required("hosts", Kind.list(Kind.text()), "names of hosts")
            .key("switches", Kind.list(Kind.text()), "names of switches");
    private static final Shape LINK = Shape.of()
            .required("between", Kind.two(Kind.text()), "the nodes at its ends")
            .required("gbps", GBPS, "rate")
            .required("delay_us", DELAY, "propagation in one direction")
            .key("loss", Kind.number(0, 1), "chance that a frame is lost");
    /** Nodes that are joined one by one. */
    static final Kind DRAWN = Kind.group(NODES);

    static final Kind LINKS = Kind.list(Kind.group(LINK));

    private final YamlValue value;
    private final long kbps;
    private final long upKbps;
    private final long delayPs;

    private TopologyReader(YamlValue value) {
        this.value = value;
        Map<String, YamlValue> keys = value.entries();
        kbps = keys.containsKey("gbps") ? kbps(keys.get("gbps")) : kbps(100);
        upKbps = keys.containsKey("up_gbps") ? kbps(keys.get("up_gbps")) : kbps;
        delayPs = keys.containsKey("delay_us") ? delay(keys.get("delay_us")) : (long) PS;
    }

    /** Describes what each kind has. */
    private static Map<String, Shape> kinds() {
        Kind many = Kind.integer(1, MOST);
        Shape all = Shape.of()
                .required("kind", Kind.text(), "kind of topology")
                .key("gbps", GBPS, "rate of all links (100)")
                .key("delay_us", DELAY, "propagation of all links (1)");
        Map<String, Shape> kinds = new LinkedHashMap<>();
        kinds.put("back-to-back", all);
        kinds.put("star", all.required("hosts", Kind.integer(2, MOST), "hosts on the switch"));
        kinds.put(
                "dumbbell",
                all.required("left", many, "hosts on one switch")
                        .required("right", many, "hosts on the other")
                        .key("up_gbps", GBPS, "rate between the switches"));
        Shape groups = all.required("switches", many, "switches").required("hosts", many, "hosts on each switch");
        kinds.put("parking-lot", groups);
        kinds.put(
                "leaf-spine",
                all.required("leaves", many, "switches with hosts")
                        .required("spines", many, "switches that join them")
                        .required("hosts", many, "hosts on each leaf")
                        .key("up_gbps", GBPS, "rate between leaves and spines"));
        kinds.put("ring", groups);
        return Collections.unmodifiableMap(kinds);
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
            case "star" -> Topology.star(count("hosts"), kbps, delayPs);
            case "dumbbell" -> Topology.dumbbell(count("left"), count("right"), kbps, upKbps, delayPs);
            case "parking-lot" -> Topology.parkingLot(groups("switches", 0), count("hosts"), kbps, delayPs);
            case "ring" -> Topology.ring(circle(), count("hosts"), kbps, delayPs);
            case "leaf-spine" ->
                Topology.leafSpine(
                        groups("leaves", count("spines")), count("spines"), count("hosts"), kbps, upKbps, delayPs);
            default -> throw new IllegalStateException(kind.text()); // it has no keys
        };
    }

    /** Returns how many switches have hosts, after a look at how many nodes and links there would be. */
    private int groups(String key, int spines) {
        int groups = count(key);
        long links = (long) groups * (count("hosts") + (long) spines);
        if (links > MOST) {
            throw value.error("this has " + links + " links or more: " + MOST + " are the most");
        }
        return groups;
    }

    /** Two switches have no circle, only a cable twice. */
    private int circle() {
        if (count("switches") < 3) {
            throw value.get("switches")
                    .error(value.get("switches").text() + " switches are no circle: a ring has 3 or more;"
                            + " for two there is kind dumbbell, for two cables between them nodes and links");
        }
        return groups("switches", 0);
    }

    private int count(String key) {
        return (int) value.get(key).integer();
    }

    private static Topology drawn(YamlValue root) {
        YamlValue nodes = root.get("nodes");
        nodes.entries();
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
        Map<String, YamlValue> keys = link.entries();
        List<YamlValue> ends = link.get("between").list();
        if (ends.size() != 2) {
            throw link.get("between").error("a link is between two nodes, found " + ends.size());
        }
        double loss = keys.containsKey("loss") ? keys.get("loss").number() : 0;
        return new CableSpec(
                ends.get(0).text(), ends.get(1).text(), kbps(link.get("gbps")), delay(link.get("delay_us")), loss);
    }

    private static long kbps(YamlValue gbps) {
        return kbps(gbps.number());
    }

    private static long kbps(double gbps) {
        return Math.round(gbps * KBPS);
    }

    private static long delay(YamlValue us) {
        return Math.max(1, Math.round(us.number() * PS));
    }
}
