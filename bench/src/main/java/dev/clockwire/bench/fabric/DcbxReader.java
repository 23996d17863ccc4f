package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.DcbxPlan;
import dev.clockwire.roce.fabric.net.LldpSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.wire.AppPriority;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.EtsSettings;
import dev.clockwire.roce.wire.PfcSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads which nodes exchange settings by DCBX. Hosts are willing and switches are not unless the file says otherwise; nodes that are set up by files
 * of real devices are as those files say.
 */
final class DcbxReader implements DcbxPlan.PortSettings {
    private static final List<String> ROLES = List.of("willing", "fixed", "silent");
    private static final int CLASSES = 8;
    private static final int PER_CENT = 100;

    private static final Kind ROLE = Kind.choice(ROLES);
    private static final Kind ROLES_OF = Kind.either(ROLE, Kind.named(ROLE));
    private static final Shape TIMING = Shape.of()
            .key("interval_s", Kind.integer(1, 3600), "time from one frame to the next")
            .key("hold", Kind.integer(1, 100), "frames that may be missing")
            .key("fast_s", Kind.integer(1, 3600), "the same after a change")
            .key("fast_frames", Kind.integer(1, 8), "how many are sent so")
            .key("hosts", ROLES_OF, "part of the hosts")
            .key("switches", ROLES_OF, "part of the switches");
    static final Kind KIND = Kind.either(Kind.flag(), Kind.group(TIMING));

    private final NetworkSpec network;
    private final ImportedNodes imported;
    private final Map<String, String> roles = new TreeMap<>();

    private DcbxReader(NetworkSpec network, ImportedNodes imported) {
        this.network = network;
        this.imported = imported;
        network.topology().hosts().forEach(n -> roles.put(n, "willing"));
        network.topology().switches().forEach(n -> roles.put(n, "fixed"));
    }

    /** Returns whether an entry switches the exchange on. */
    static boolean on(YamlValue value) {
        return value.isMapping() || value.flag();
    }

    /** Returns a network whose nodes exchange settings as an entry says. */
    static NetworkSpec read(YamlValue value, NetworkSpec network, ImportedNodes imported) {
        if (!on(value)) {
            return network;
        }
        DcbxReader reader = new DcbxReader(network, imported);
        Map<String, YamlValue> keys = value.isMapping() ? value.entries() : Map.of();
        reader.roles(keys.get("hosts"), network.topology().hosts());
        reader.roles(keys.get("switches"), network.topology().switches());
        LldpSpec usual = LldpSpec.STANDARD;
        LldpSpec timing = new LldpSpec(
                integer(keys.get("interval_s"), usual.intervalS()),
                integer(keys.get("hold"), usual.hold()),
                integer(keys.get("fast_s"), usual.fastS()),
                integer(keys.get("fast_frames"), usual.fastFrames()));
        return network.withDcbx(new DcbxPlan(timing, reader));
    }

    private static int integer(@Nullable YamlValue value, int otherwise) {
        return value == null ? otherwise : (int) value.integer();
    }

    private void roles(@Nullable YamlValue value, List<String> nodes) {
        if (value == null) {
            return;
        }
        if (value.isMapping()) {
            value.map(nodes).forEach((node, role) -> roles.put(node, role(role)));
        } else {
            String all = role(value);
            nodes.forEach(n -> roles.put(n, all));
        }
    }

    private static String role(YamlValue value) {
        return value.choice("part in the exchange");
    }

    @Override
    public boolean waits(String node, CableSpec cable) {
        return imported.has(node) && imported.waits(node, cable);
    }

    @Override
    public @Nullable DcbSettings of(String node, CableSpec cable) {
        if (imported.has(node)) {
            return imported.told(node, cable);
        }
        String role = roles.getOrDefault(node, "silent");
        if (role.equals("silent")) {
            return null;
        }
        boolean willing = role.equals("willing");
        return network.topology().hosts().contains(node)
                ? host(network.light(node), willing)
                : bridge(network.plan().bridge(node), willing);
    }

    /** A host of the file has no shares of its own. */
    private static DcbSettings host(LightSpec light, boolean willing) {
        PfcSettings pfc =
                new PfcSettings(willing, false, CLASSES, light.priorities().obeyed());
        int data = light.priorities().classes().ofDscp().get(light.dataDscp());
        return new DcbSettings(null, null, pfc, List.of(AppPriority.roce(data)));
    }

    /** Shares are per cent of the sum of the classes' quanta. */
    private static DcbSettings bridge(BridgeSpec bridge, boolean willing) {
        PfcSettings pfc = bridge.pause().wholeLink()
                ? null
                : new PfcSettings(willing, false, CLASSES, bridge.pause().lossless());
        long sum = bridge.quanta().stream().mapToLong(Integer::longValue).sum();
        List<Integer> classOf = new ArrayList<>();
        List<Integer> shares = new ArrayList<>();
        List<Integer> algorithms = new ArrayList<>();
        for (int c = 0; c < CLASSES; c++) {
            long quantum = bridge.quanta().get(c);
            classOf.add(c);
            shares.add(quantum == 0 ? 0 : (int) (PER_CENT * quantum / sum));
            algorithms.add(quantum == 0 ? EtsSettings.STRICT : EtsSettings.SHARED);
        }
        EtsSettings ets = new EtsSettings(willing, false, CLASSES, classOf, shares, algorithms);
        return new DcbSettings(ets, willing ? null : ets, pfc, List.of());
    }
}
