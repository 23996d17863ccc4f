package dev.clockwire.bench.fabric;

import dev.clockwire.bench.text.InputFile;
import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.net.SizeDistribution;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.fabric.net.Traffic;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads flows: one by one, or an {@code incast}, a {@code permutation}, a {@code poisson} process. */
final class FlowReader {
    private static final long MOST_BYTES = 1L << 50;
    private static final double PS = 1e6;

    private static final int MOST_HOSTS = 100_000;
    private static final Kind TIME = Kind.number(0, 1e9);
    private static final Shape ALL = Shape.of()
            .key("name", Kind.text(), "name in results")
            .key("start_us", TIME, "when it begins (0)")
            .key("priority", Kind.integer(0, 7), "class of its frames");
    private static final Kind BYTES = Kind.size(1, MOST_BYTES);
    private static final Shape ONE = ALL.required("from", Kind.text(), "host that sends")
            .required("to", Kind.text(), "host that receives")
            .required("bytes", BYTES, "how much");
    private static final Shape INCAST = ALL.required(
                    "from",
                    Kind.either(Kind.integer(1, MOST_HOSTS), Kind.list(Kind.text())),
                    "hosts that send, or how many do")
            .required("to", Kind.text(), "host that receives")
            .required("bytes", BYTES, "how much from each");
    private static final Shape PERMUTATION = ALL.required("bytes", BYTES, "how much from each host to another");
    private static final Shape POISSON = ALL.required("load", Kind.number(1e-6, 10), "part of the hosts' rate")
            .key("bytes", BYTES, "size of each flow")
            .key("sizes", Kind.text(), "file with the distribution of sizes")
            .key("until_us", TIME, "when the last begins")
            .one(List.of("bytes", "sizes"));
    private static final Shape MANY = Shape.of()
            .key("incast", Kind.group(INCAST), "many hosts send to one")
            .key("permutation", Kind.group(PERMUTATION), "each host sends to another one")
            .key("poisson", Kind.group(POISSON), "flows between random hosts at random times")
            .one(List.of("incast", "permutation", "poisson"));
    /** An entry of the list. */
    static final Kind LIST = Kind.list(Kind.either(Kind.group(ONE), Kind.group(MANY)));

    private final Topology topology;
    private final long kbps;
    private final Path folder;
    private final long untilPs;
    private final long seed;
    private final int[] islands;
    private final Set<String> names = new TreeSet<>();

    FlowReader(Topology topology, long kbps, Path folder, long untilPs, long seed) {
        this.topology = topology;
        this.kbps = kbps;
        this.folder = folder;
        this.untilPs = untilPs;
        this.seed = seed;
        islands = topology.islands();
    }

    List<FlowSpec> read(YamlValue list) {
        List<FlowSpec> flows = new ArrayList<>();
        List<ConfigurationException> mistakes = new ArrayList<>();
        for (YamlValue entry : list.list()) {
            try {
                flows.addAll(FabricFile.at(entry, () -> checked(entry(entry, flows.size()))));
            } catch (ConfigurationException e) {
                mistakes.add(e);
            }
        }
        if (!mistakes.isEmpty()) { // what is built of the other flows would only show what these lack
            mistakes.subList(1, mistakes.size()).forEach(list::refuse);
            throw mistakes.get(0);
        }
        if (flows.isEmpty()) {
            throw list.error("a fabric without flows does nothing");
        }
        return flows;
    }

    /** Names and ways are looked at here, where it is known which line is wrong. */
    private List<FlowSpec> checked(List<FlowSpec> flows) {
        if (flows.isEmpty()) {
            throw new ConfigurationException("these are no flows: no sender, or too short a time for their load");
        }
        for (FlowSpec flow : flows) {
            if (!names.add(flow.name())) {
                throw new ConfigurationException("two flows are called " + flow.name() + "; give one another 'name'");
            }
            if (islands[flow.src()] != islands[flow.dst()]) {
                List<String> hosts = topology.hosts();
                throw new ConfigurationException("flow " + flow.name() + ": no way from " + hosts.get(flow.src())
                        + " to " + hosts.get(flow.dst()) + "; add a link between their switches");
            }
        }
        return flows;
    }

    private List<FlowSpec> entry(YamlValue entry, int number) {
        Map<String, YamlValue> keys = entry.map();
        for (String kind : MANY.names()) {
            if (keys.containsKey(kind)) {
                entry.map(List.of(kind));
                YamlValue what = entry.as(Kind.group(MANY)).get(kind);
                return switch (kind) {
                    case "incast" -> incast(what, number);
                    case "permutation" -> permutation(what, number);
                    default -> poisson(what, number);
                };
            }
        }
        boolean one = keys.keySet().stream().anyMatch(ONE.names()::contains);
        keys = entry.entries(one ? ONE : MANY);
        return List.of(new FlowSpec(
                name(keys, "flow", number),
                host(entry.get("from")),
                host(entry.get("to")),
                bytes(entry.as(Kind.group(ONE))),
                start(keys),
                dscp(keys)));
    }

    private int host(YamlValue value) {
        int at = topology.hosts().indexOf(value.text());
        if (at < 0) {
            throw value.unknown("host", value.text(), topology.hosts());
        }
        return at;
    }

    private static long bytes(YamlValue entry) {
        return entry.get("bytes").size();
    }

    private static long start(Map<String, YamlValue> keys) {
        YamlValue us = keys.get("start_us");
        return us == null ? 0 : Math.round(us.number() * PS);
    }

    private static int dscp(Map<String, YamlValue> keys) {
        YamlValue priority = keys.get("priority");
        return priority == null ? -1 : (int) priority.integer() << 3;
    }

    private static String name(Map<String, YamlValue> keys, String kind, int number) {
        return keys.containsKey("name") ? TopologyReader.name(keys.get("name")) : kind + number;
    }

    private List<FlowSpec> incast(YamlValue value, int number) {
        Map<String, YamlValue> keys = value.entries();
        int to = host(value.get("to"));
        List<Integer> from = new ArrayList<>();
        YamlValue senders = value.get("from");
        if (senders.listOrOne().size() == 1 && senders.listOrOne().get(0).text().matches("\\d+")) {
            long n = senders.listOrOne().get(0).integer(1, topology.hosts().size() - 1);
            for (int i = 0; from.size() < n; i++) {
                if (i != to) {
                    from.add(i);
                }
            }
        } else {
            senders.list().forEach(s -> from.add(host(s)));
        }
        return Traffic.incast(name(keys, "incast", number), from, to, bytes(value), start(keys), dscp(keys));
    }

    private List<FlowSpec> permutation(YamlValue value, int number) {
        Map<String, YamlValue> keys = value.entries();
        return Traffic.permutation(
                name(keys, "permutation", number),
                topology.hosts().size(),
                bytes(value),
                start(keys),
                dscp(keys),
                seed);
    }

    private List<FlowSpec> poisson(YamlValue value, int number) {
        Map<String, YamlValue> keys = value.entries();
        if (keys.containsKey("bytes") == keys.containsKey("sizes")) {
            throw value.error("random flows have 'bytes', or 'sizes' with the name of a file");
        }
        SizeDistribution sizes =
                keys.containsKey("bytes") ? SizeDistribution.of(bytes(value)) : sizes(value.get("sizes"));
        long until =
                keys.containsKey("until_us") ? Math.round(keys.get("until_us").number() * PS) : untilPs;
        if (until < start(keys)) {
            throw value.error(
                    "random flows that begin at " + value.get("start_us").text()
                            + " us and end before: 'until_us' (else 'until_ms' of the run) must not be less");
        }
        return Traffic.poisson(
                name(keys, "poisson", number),
                topology.hosts().size(),
                value.get("load").number(),
                kbps,
                sizes,
                start(keys),
                until,
                dscp(keys),
                seed);
    }

    private SizeDistribution sizes(YamlValue file) {
        Path path = folder.resolve(file.text());
        try {
            return SizeDistribution.parse(
                    file.text(), InputFile.text(path).lines().toList());
        } catch (IOException e) {
            throw file.error("cannot read " + file.text());
        }
    }
}
