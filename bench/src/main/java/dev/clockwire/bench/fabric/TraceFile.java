package dev.clockwire.bench.fabric;

import dev.clockwire.bench.text.InputFile;
import dev.clockwire.bench.yaml.PlacedJson;
import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.congestion.RateRules.AlphaClock;
import dev.clockwire.roce.congestion.RateRules.Clamp;
import dev.clockwire.roce.congestion.RateRules.CutOrder;
import dev.clockwire.roce.congestion.RateRules.CutTrigger;
import dev.clockwire.roce.congestion.RateRules.HyperRule;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the parameters of a run of the ns-3 model published with HPCC, and means by them what it means: frames of payload and 48 bytes without
 * preamble, check sequence and gap, acknowledgements that echo marks, pauses that last until they are ended, no timeouts.
 */
public final class TraceFile {
    /** The class of data in that model. */
    public static final int DATA_CLASS = 3;

    private static final int ANSWER_CLASS = 7;
    private static final int HEADER_BYTES = 48;
    private static final int ANSWER_BYTES = 60;
    private static final int RESERVE = 4096;
    private static final int RESUME_OFFSET = 3072;
    private static final int ALPHA_LOG2 = -3;
    private static final int HEADROOM_FLIGHTS = 3;
    private static final long NAK_PS = 500_000_000;
    private static final double START_S = 2.0;
    private static final double PS = 1e12;
    private static final long US = 1_000_000;
    private static final int KB = 1000;
    private static final int MOST_NODES = 1 << 20;
    private static final int MOST_MIB = 4096;
    private static final int MOST_US = 1_000_000_000;
    private static final double LEAST_GAIN = 1e-12;
    /** That model begins at 2 s; an hour more is more than anybody waits for. */
    private static final double FIRST_STOP_S = START_S + 1e-9;

    private static final double LAST_STOP_S = START_S + 3600;
    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)([GMKk]?)b(?:ps|/s)");
    private static final Pattern DELAY = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|us|ns|s)");
    private static final Pattern MAP = Pattern.compile("\\d+(?:\\s+\\d{1,18}\\s+\\d+(?:\\.\\d+)?(?:[eE]-?\\d+)?)*");

    private final PlacedJson root;
    private final PlacedJson config;

    private TraceFile(PlacedJson root) {
        this.root = root;
        config = root.need("config");
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if it is no such file, with file, line, path of the value, the value and what is valid
     */
    public static FabricJob read(Path file) throws IOException {
        TraceFile trace = new TraceFile(PlacedJson.parse(file.toString(), InputFile.text(file)));
        TraceLimits.check(trace.config);
        return trace.job(file.toString());
    }

    private FabricJob job(String file) {
        PlacedJson topology = root.need("topology");
        int nodes = (int) topology.need("nodes").integer(2, MOST_NODES);
        Set<Integer> switchNumbers = new HashSet<>();
        topology.need("switches").elements().forEach(n -> switchNumbers.add((int) n.integer(0, nodes - 1)));
        String[] names = new String[nodes];
        int[] hostOf = new int[nodes];
        List<String> hosts = new ArrayList<>();
        List<String> switches = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            boolean sw = switchNumbers.contains(i);
            names[i] = (sw ? "switch" : "host") + i;
            hostOf[i] = sw ? -1 : hosts.size();
            (sw ? switches : hosts).add(names[i]);
        }
        List<CableSpec> cables = cables(topology, names);
        long nicKbps = cables.stream().mapToLong(CableSpec::kbps).min().orElse(1);
        NetworkSpec network = root.at(() -> new NetworkSpec(
                topology.at(() -> new Topology(hosts, switches, cables)),
                Framing.BARE,
                bridge(),
                cable -> port(cable, nicKbps),
                config.at(() -> light(nicKbps * KB)),
                flows(hostOf)));
        config.at(() -> cables.stream().map(c -> port(c, nicKbps)).toList()); // what is wrong in maps is said now
        long until = Math.round((config.need("SIMULATOR_STOP_TIME").number(FIRST_STOP_S, LAST_STOP_S) - START_S) * PS);
        String name = root.find("name").map(PlacedJson::text).orElse("trace");
        return new FabricJob(name, network, until, DATA_CLASS, List.of(), Map.of("", file + ": "));
    }

    private static List<CableSpec> cables(PlacedJson topology, String[] names) {
        List<CableSpec> cables = new ArrayList<>();
        for (PlacedJson link : topology.need("links").elements()) {
            List<PlacedJson> parts = link.elements();
            if (parts.size() < 4 || parts.size() > 5) {
                throw link.error("expected two nodes, rate, delay, loss; found " + parts.size() + " values");
            }
            int last = names.length - 1;
            cables.add(link.at(() -> new CableSpec(
                    names[(int) parts.get(0).integer(0, last)],
                    names[(int) parts.get(1).integer(0, last)],
                    bits(parts.get(2)) / KB,
                    delay(parts.get(3)),
                    parts.size() > 4 ? parts.get(4).number(0, 1) : 0)));
        }
        return cables;
    }

    /** Reads a rate such as 100Gbps or 20Mb/s. */
    private static long bits(PlacedJson value) {
        Matcher m = RATE.matcher(value.text().trim());
        if (!m.matches()) {
            throw value.error("rate '" + value.text() + "': expected for example 100Gbps");
        }
        double scale = switch (m.group(2)) {
            case "G" -> 1e9;
            case "M" -> 1e6;
            case "K", "k" -> 1e3;
            default -> 1;
        };
        return Math.round(Double.parseDouble(m.group(1)) * scale);
    }

    private static long delay(PlacedJson value) {
        Matcher m = DELAY.matcher(value.text().trim());
        if (!m.matches()) {
            throw value.error("delay '" + value.text() + "': expected for example 0.001ms");
        }
        double scale = switch (m.group(2)) {
            case "ms" -> 1e9;
            case "us" -> 1e6;
            case "ns" -> 1e3;
            default -> PS;
        };
        return Math.round(Double.parseDouble(m.group(1)) * scale);
    }

    private int number(String key, int least, int most, int otherwise) {
        return config.find(key).map(v -> (int) v.integer(least, most)).orElse(otherwise);
    }

    private BridgeSpec bridge() {
        long bytes = config.need("BUFFER_SIZE").integer(1, MOST_MIB) << 20;
        BufferSpec buffer = new BufferSpec(bytes, 1, RESERVE, RESUME_OFFSET, 0, 0);
        PauseSpec pause = new PauseSpec(1 << DATA_CLASS, PauseFrame.MAX_QUANTA, false, false);
        return BridgeSpec.of(buffer).withPause(pause).withExempt(1 << ANSWER_CLASS);
    }

    private PortSpec port(CableSpec cable, long nicKbps) {
        long flight = cable.delayPs() * cable.kbps() / 8_000_000_000L;
        int headroom = number("REF_HEADROOM", 0, 1 << 30, (int) (HEADROOM_FLIGHTS * flight));
        int alpha = ALPHA_LOG2;
        for (long rate = nicKbps; rate < cable.kbps(); rate *= 2) {
            alpha++;
        }
        PortSpec port = PortSpec.of(headroom, alpha);
        if (number("ENABLE_QCN", 0, 1, 1) == 0) {
            return port;
        }
        long kmin = Math.round(byRate("KMIN_MAP", cable) * KB);
        long kmax = Math.round(byRate("KMAX_MAP", cable) * KB);
        return port.withMarks(DATA_CLASS, MarkSpec.of(kmin, kmax, byRate("PMAX_MAP", cable)));
    }

    /** Reads a map such as "1 100000000000 400": a count, then pairs of rate and value. */
    private double byRate(String key, CableSpec cable) {
        PlacedJson map = config.need(key);
        String text = map.text().trim();
        if (!MAP.matcher(text).matches()) {
            throw map.error("'" + text + "': expected a count, then pairs of rate in bit/s and value");
        }
        String[] words = text.split("\\s+", -1);
        for (int i = 1; i + 1 < words.length; i += 2) {
            if (Long.parseLong(words[i]) == cable.kbps() * KB) {
                return Double.parseDouble(words[i + 1]);
            }
        }
        throw map.error("has no value for " + cable.kbps() * KB + " bit/s");
    }

    private LightSpec light(long lineRate) {
        RateRules rules =
                number("CC_MODE", 0, 1, 1) == 0 || number("ENABLE_QCN", 0, 1, 1) == 0 ? null : rules(lineRate);
        return new LightSpec(
                (int) config.need("PACKET_PAYLOAD_SIZE").integer(1, 9000),
                HEADER_BYTES,
                ANSWER_BYTES,
                Math.max(1, number("L2_ACK_INTERVAL", 0, 1 << 16, 1)),
                DATA_CLASS << 3,
                ANSWER_CLASS << 3,
                rules,
                true,
                0,
                false,
                0,
                LightSpec.Repeat.GO_BACK_N,
                NAK_PS,
                0,
                0,
                0);
    }

    private RateRules rules(long lineRate) {
        double gain = config.need("EWMA_GAIN").number(LEAST_GAIN, 1);
        return new RateRules(
                lineRate,
                bits(config.need("MIN_RATE")),
                RateRules.gainOf(gain),
                AlphaClock.FREE_RUNNING,
                number("ALPHA_RESUME_INTERVAL", 1, MOST_US, 1) * US,
                CutTrigger.MONITOR,
                CutOrder.CUT_FIRST,
                number("RATE_DECREASE_INTERVAL", 1, MOST_US, 4) * US,
                1,
                number("RP_TIMER", 1, MOST_US, 300) * US,
                RateRules.NO_BYTE_COUNTER,
                number("FAST_RECOVERY_TIMES", 0, 255, 1),
                false,
                bits(config.need("RATE_AI")),
                bits(config.need("RATE_HAI")),
                HyperRule.FLAT,
                number("CLAMP_TARGET_RATE", 0, 1, 0) == 0 ? Clamp.AFTER_INCREASE : Clamp.ALWAYS,
                false,
                0);
    }

    private List<FlowSpec> flows(int[] hostOf) {
        List<FlowSpec> flows = new ArrayList<>();
        for (PlacedJson flow : root.need("flows").elements()) {
            flows.add(flow.at(() -> new FlowSpec(
                    "flow" + flows.size(),
                    host(flow.need("src"), hostOf),
                    host(flow.need("dst"), hostOf),
                    flow.need("size").integer(1, 1L << 50),
                    Math.round(flow.need("start_s").number(0, LAST_STOP_S) * PS),
                    -1)));
        }
        return flows;
    }

    private static int host(PlacedJson node, int[] hostOf) {
        int host = hostOf[(int) node.integer(0, hostOf.length - 1)];
        if (host < 0) {
            throw node.error(node.written() + " is a switch: flows go from host to host");
        }
        return host;
    }
}
