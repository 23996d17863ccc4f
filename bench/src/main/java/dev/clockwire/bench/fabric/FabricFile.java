package dev.clockwire.bench.fabric;

import dev.clockwire.bench.fault.FaultFile;
import dev.clockwire.bench.fault.FaultPlaces;
import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.FabricPlan;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads a fabric from YAML: {@code topology} (or {@code nodes} and {@code links}), {@code switches}, {@code hosts}, {@code dcbx}, {@code flows}. */
public final class FabricFile {
    private static final double PS_PER_MS = 1e9;
    private static final double LONGEST_MS = 3.6e6;
    private static final double DEFAULT_MS = 1000;

    /** What such a file may hold. */
    public static final Shape SHAPE = Shape.of()
            .key("name", Kind.text(), "name of the run")
            .key("framing", Kind.choice(List.of("ethernet", "bare")), "what is around packets on the line")
            .key("topology", TopologyReader.KNOWN, "who is joined to whom, of a known kind")
            .key("nodes", TopologyReader.DRAWN, "hosts and switches, with 'links' in place of 'topology'")
            .key("links", TopologyReader.LINKS, "cables between nodes")
            .key("switches", Kind.group(SwitchReader.SHAPE), "what all switches have in common")
            .key("hosts", Kind.group(HostReader.SHAPE), "what all hosts have in common")
            .key("dcbx", DcbxReader.KIND, "nodes exchange settings by DCBX")
            .required("flows", FlowReader.LIST, "who sends what to whom")
            .key("faults", FaultFile.LIST, "what goes wrong, with whole devices")
            .key("until_ms", Kind.number(1e-6, LONGEST_MS), "end of the run (1000)")
            .one(List.of("topology", "nodes"));

    private FabricFile() {}

    /**
     * Reads a file.
     *
     * @param seed of traffic that is drawn
     * @throws IOException if it cannot be read
     * @throws ConfigurationException for whatever is wrong in it, with file, line and column
     */
    public static FabricJob read(Path file, long seed) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        return YamlValue.read(file, root -> job(root.as(Kind.group(SHAPE)), folder == null ? file : folder, seed));
    }

    private static FabricJob job(YamlValue root, Path folder, long seed) throws IOException {
        Map<String, YamlValue> keys = root.entries();
        Topology topology = TopologyReader.read(root);
        long kbps = topology.cables().stream().mapToLong(c -> c.kbps()).min().orElse(1);
        Framing framing = keys.containsKey("framing") ? framing(keys.get("framing")) : Framing.ETHERNET;
        LightSpec light = HostReader.read(root.find("hosts"), kbps * 1000);
        SwitchReader switches = new SwitchReader(root.find("switches"), framing, light);
        double untilMs = keys.containsKey("until_ms") ? keys.get("until_ms").number() : DEFAULT_MS;
        long untilPs = Math.round(untilMs * PS_PER_MS);
        FlowReader flows = new FlowReader(topology, kbps, folder, untilPs, seed);
        ImportedNodes imported = new ImportedNodes(topology, folder);
        imported.read(root.find("switches"), true);
        imported.read(root.find("hosts"), false);
        boolean chosen = root.find("hosts").flatMap(h -> h.find("dcqcn")).isPresent();
        Optional<YamlValue> dcbx = root.find("dcbx");
        imported.exchanges(dcbx.isPresent() && DcbxReader.on(dcbx.get()));
        NetworkSpec network = at(root, () -> {
            NetworkSpec alike = new NetworkSpec(
                    topology, framing, switches.bridge(), switches::port, light, flows.read(root.get("flows")));
            NetworkSpec named = alike.withNodes(imported.rules(switches.bridge(), switches::port, light, chosen));
            switches.longestFrame(named.longestFrame());
            return dcbx.map(d -> DcbxReader.read(d, named, imported)).orElse(named);
        });
        at(buffer(root), () -> room(network));
        String name = keys.containsKey("name") ? keys.get("name").text() : "fabric";
        return new FabricJob(
                name, network, untilPs, dataClass(network), imported.notes(), places(root), devices(root, topology));
    }

    /** Only hosts with whole devices have parameters of a NIC, and something that can break. */
    private static DeviceTerms devices(YamlValue root, Topology topology) {
        Map<String, Map<String, String>> nics = new TreeMap<>();
        root.find("hosts")
                .flatMap(h -> h.find("nic"))
                .ifPresent(hosts -> hosts.map(topology.hosts()).forEach((host, values) -> {
                    Map<String, String> own = new TreeMap<>();
                    values.map().forEach((path, value) -> {
                        at(value, () -> Profiles.named(Profiles.DEFAULT).with(path, value.text()));
                        own.put(path, value.text());
                    });
                    nics.put(host, own);
                }));
        Map<String, String> nodes = new TreeMap<>();
        topology.hosts().forEach(host -> nodes.put(host, host));
        FaultPlaces places = new FaultPlaces(nodes, List.of(), Set.of(NodeFault.PAUSE));
        FaultPlan faults =
                root.find("faults").isPresent() ? FaultFile.entries(root.get("faults"), places) : FaultPlan.NONE;
        return new DeviceTerms(nics, faults);
    }

    /** Returns what says how large a buffer is. */
    private static YamlValue buffer(YamlValue root) {
        YamlValue at = root;
        for (String key : List.of("switches", "buffer")) {
            at = at.find(key).orElse(at);
        }
        return at;
    }

    /** Looks whether the buffer of each switch has room for what its ports set aside. */
    private static long room(NetworkSpec network) {
        Map<String, List<PortSpec>> ports = new TreeMap<>();
        FabricPlan plan = network.plan();
        for (CableSpec cable : network.topology().cables()) {
            for (String end : List.of(cable.a(), cable.b())) {
                ports.computeIfAbsent(end, e -> new ArrayList<>())
                        .add(plan.ports(end).of(cable));
            }
        }
        long least = Long.MAX_VALUE;
        for (String name : network.topology().switches()) {
            try {
                least = Math.min(least, plan.bridge(name).shareable(ports.getOrDefault(name, List.of())));
            } catch (ConfigurationException e) {
                throw new ConfigurationException(name + ": " + e.getMessage());
            }
        }
        return least;
    }

    /** Returns where the file's keys stand, those of the hosts too. */
    private static Map<String, String> places(YamlValue root) {
        Map<String, String> places = new TreeMap<>();
        places.put("", root.place());
        root.map().forEach((key, value) -> places.put(key, value.place()));
        root.find("hosts")
                .ifPresent(hosts -> hosts.map().forEach((key, value) -> places.put("hosts." + key, value.place())));
        return places;
    }

    /** Returns the class of the first host's data. */
    private static int dataClass(NetworkSpec network) {
        LightSpec first = network.light(network.topology().hosts().get(0));
        return first.priorities().classes().ofDscp().get(first.dataDscp());
    }

    private static Framing framing(YamlValue value) {
        return value.choice("framing").equals("bare") ? Framing.BARE : Framing.ETHERNET;
    }

    /** Something that is built from values. */
    interface Made<T> {
        T make();
    }

    /** Builds something; an error that does not say where gets the place of a value. */
    static <T> T at(YamlValue value, Made<T> made) {
        try {
            return made.make();
        } catch (ConfigurationException e) {
            String text = String.valueOf(e.getMessage());
            throw text.matches("(?s)[^\n]+?:\\d+(:\\d+)?: .*") ? e : value.error(text);
        }
    }
}
