package dev.clockwire.bench.fabric;

import dev.clockwire.bench.config.DeviceFiles;
import dev.clockwire.bench.config.lint.Lint;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.Finding;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Told;
import dev.clockwire.bench.text.Count;
import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.NodeRules;
import dev.clockwire.roce.fabric.net.PortRule;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Switches and hosts of a YAML file that name files of real devices: {@code config: [FILE, ...]} for all of them, or {@code config: {NODE: [FILE,
 * ...]}} for some. Names of files are relative to the YAML file's folder.
 */
final class ImportedNodes {
    /** Files of one real device for all nodes, or of several by the names of nodes. */
    static final Kind CONFIG = Kind.either(Kind.listOrOne(Kind.text()), Kind.named(Kind.listOrOne(Kind.text())));

    private static final long BITS = 1000;
    private static final int AUTO = 2;

    private final Topology topology;
    private final Path folder;
    private final Map<String, DeviceConfig> switches = new TreeMap<>();
    private final Map<String, DeviceConfig> hosts = new TreeMap<>();
    private final List<DeviceConfig> devices = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private boolean exchanges;

    ImportedNodes(Topology topology, Path folder) {
        this.topology = topology;
        this.folder = folder;
    }

    /** Reads the files that an entry {@code switches} or {@code hosts} names. */
    void read(Optional<YamlValue> entry, boolean isSwitch) throws IOException {
        Optional<YamlValue> config = entry.flatMap(e -> e.find("config"));
        if (config.isEmpty()) {
            return;
        }
        List<String> names = isSwitch ? topology.switches() : topology.hosts();
        Map<String, DeviceConfig> into = isSwitch ? switches : hosts;
        YamlValue value = config.get();
        if (value.isMapping()) {
            for (Map.Entry<String, YamlValue> one : value.map(names).entrySet()) {
                DeviceConfig device = device(one.getValue(), one.getKey(), isSwitch);
                device.rename(one.getKey());
                into.put(one.getKey(), device);
                devices.add(device);
            }
        } else {
            DeviceConfig all = device(value, isSwitch ? "switch" : "host", isSwitch);
            names.forEach(n -> into.put(n, all));
            devices.add(all);
        }
    }

    private DeviceConfig device(YamlValue value, String name, boolean isSwitch) throws IOException {
        List<Path> files = new ArrayList<>();
        for (YamlValue one : value.listOrOne()) {
            Path file = folder.resolve(one.text());
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                throw one.error("cannot read " + file);
            }
            files.add(file);
        }
        DeviceFiles read = isSwitch ? DeviceFiles.of(files) : DeviceFiles.ofHost(name, files);
        note(read.log());
        List<DeviceConfig> found =
                read.devices().stream().filter(d -> d.isSwitch() == isSwitch).toList();
        if (found.size() != 1) {
            throw value.error(
                    "expected the configuration of one " + (isSwitch ? "switch" : "host") + ", found " + found.size());
        }
        return found.get(0);
    }

    /** Keeps what is wrong to be said; a value that is none ends the run before it begins. */
    private void note(ImportLog log) {
        for (Finding f : log.findings()) {
            if (f.rule().equals(Rule.BAD_VALUE.id())) {
                throw new ConfigurationException(f.where() + ": " + f.message() + "; " + f.cure());
            }
            notes.add(f.where() + ": " + f.severity() + " [" + f.rule() + "]: " + f.message());
        }
        Map<String, Integer> unknown = new TreeMap<>();
        log.unknown().forEach(u -> unknown.merge(u.file(), 1, Integer::sum));
        unknown.forEach((file, n) ->
                notes.add(file + ": note: " + Count.of(n, "line") + " not known; config import lists them"));
    }

    /** Returns what is wrong with the files, one by one and together. */
    List<String> notes() {
        ImportLog log = new ImportLog();
        Lint.check(devices, log);
        note(log);
        switches.forEach((node, device) -> new ImportedSwitch(device, node)
                .notes()
                .forEach(n -> {
                    if (!notes.contains(n)) {
                        notes.add(n);
                    }
                }));
        return notes;
    }

    /** Returns the nodes that differ from all others. */
    NodeRules rules(BridgeSpec bridge, PortRule ports, LightSpec light, boolean chosen) {
        Map<String, BridgeSpec> bridges = new TreeMap<>();
        Map<String, PortRule> rules = new TreeMap<>();
        Map<String, LightSpec> lights = new TreeMap<>();
        switches.forEach((node, device) -> {
            ImportedSwitch made = new ImportedSwitch(device, node);
            bridges.put(node, made.bridge(bridge, ports, topology.cables()));
            rules.put(node, made.ports(ports));
        });
        hosts.forEach((node, device) ->
                lights.put(node, new ImportedHost(device, agreed(node, device)).light(light, rate(node), chosen)));
        return new NodeRules(bridges, rules, lights);
    }

    /** The nodes say themselves what they have: nothing is agreed on before. */
    void exchanges(boolean onTheLine) {
        exchanges = onTheLine;
    }

    /** Whether a node is set up by files of a real device. */
    boolean has(String node) {
        return switches.containsKey(node) || hosts.containsKey(node);
    }

    /** Returns what a node tells at its end of a cable; null if it does not speak DCBX there. */
    @Nullable
    DcbSettings told(String node, CableSpec cable) {
        PortConfig port = port(node, cable);
        return port.whole(PortKey.DCBX, 0) == 0 ? null : Told.by(device(node), port);
    }

    /** Whether a node's port has PFC only as its far end says. */
    boolean waits(String node, CableSpec cable) {
        return port(node, cable).whole(PortKey.PFC_MODE, 1) == AUTO;
    }

    private DeviceConfig device(String node) {
        DeviceConfig bridge = switches.get(node);
        return bridge == null ? Objects.requireNonNull(hosts.get(node), node) : bridge;
    }

    private PortConfig port(String node, CableSpec cable) {
        DeviceConfig bridge = switches.get(node);
        return bridge == null ? device(node).ports().get(0) : new ImportedSwitch(bridge, node).at(cable);
    }

    /** Returns the priorities with PFC of a host, after what DCBX agrees with the switch that it is joined to. */
    private int agreed(String host, DeviceConfig device) {
        PortConfig nic = device.ports().get(0);
        if (exchanges) {
            return device.lossless(nic);
        }
        for (CableSpec cable : topology.cables()) {
            String far = cable.a().equals(host) ? cable.b() : cable.a();
            DeviceConfig bridge = switches.get(far);
            if (bridge != null && (cable.a().equals(host) || cable.b().equals(host))) {
                return Told.agreed(device, nic, bridge, new ImportedSwitch(bridge, far).at(cable));
            }
        }
        return device.lossless(nic);
    }

    private long rate(String host) {
        for (CableSpec cable : topology.cables()) {
            if (cable.a().equals(host) || cable.b().equals(host)) {
                return cable.kbps() * BITS;
            }
        }
        return BITS;
    }
}
