package dev.clockwire.bench.fabric;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    private final String name;
    private final JsonNode root;
    private final JsonNode config;

    private TraceFile(String name, JsonNode root) {
        this.name = name;
        this.root = root;
        config = need(root, "config");
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if it is no such file, with what is missing
     */
    public static FabricJob read(Path file) throws IOException {
        try {
            String text = Files.readString(file);
            TraceFile trace = new TraceFile(file.toString(), new ObjectMapper().readTree(text));
            TraceLimits.check(trace.config, trace.name, text);
            return trace.job();
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(file + ": is no text in UTF-8");
        } catch (JsonProcessingException e) {
            String at = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr();
            throw new ConfigurationException(file + at + ": " + e.getOriginalMessage());
        } catch (ConfigurationException e) {
            String text = String.valueOf(e.getMessage());
            throw text.startsWith(file.toString()) ? e : new ConfigurationException(file + ": " + text);
        } catch (NumberFormatException e) {
            throw new ConfigurationException(file + ": " + e.getMessage());
        }
    }

    private JsonNode need(JsonNode in, String field) {
        JsonNode node = in == null ? null : in.get(field);
        if (node == null || node.isNull()) {
            throw new ConfigurationException(name + ": no field " + field);
        }
        return node;
    }

    private FabricJob job() {
        Set<Integer> switchNumbers = new HashSet<>();
        JsonNode topology = need(root, "topology");
        need(topology, "switches").forEach(n -> switchNumbers.add(n.asInt()));
        int nodes = need(topology, "nodes").asInt();
        String[] names = new String[Math.max(0, nodes)];
        int[] hostOf = new int[names.length];
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
        NetworkSpec network = new NetworkSpec(
                new Topology(hosts, switches, cables),
                Framing.BARE,
                bridge(),
                cable -> port(cable, nicKbps),
                light(nicKbps * KB),
                flows(hostOf));
        long until = Math.round((need(config, "SIMULATOR_STOP_TIME").asDouble() - START_S) * PS);
        return new FabricJob(
                text(root, "name", "trace"), network, until, DATA_CLASS, List.of(), Map.of("", name + ": "));
    }

    private static String text(JsonNode in, String field, String otherwise) {
        JsonNode node = in.get(field);
        return node == null ? otherwise : node.asText();
    }

    private String nodeName(String[] names, int i) {
        if (i < 0 || i >= names.length) {
            throw new ConfigurationException(name + ": node " + i + " is not in 0.." + (names.length - 1));
        }
        return names[i];
    }

    private List<CableSpec> cables(JsonNode topology, String[] names) {
        List<CableSpec> cables = new ArrayList<>();
        for (JsonNode link : need(topology, "links")) {
            if (link.size() < 4) {
                throw new ConfigurationException(name + ": link " + link + ": expected two nodes, rate, delay, loss");
            }
            cables.add(new CableSpec(
                    nodeName(names, link.get(0).asInt()),
                    nodeName(names, link.get(1).asInt()),
                    bits(link.get(2).asText()) / KB,
                    delay(link.get(3).asText()),
                    link.size() > 4 ? link.get(4).asDouble() : 0));
        }
        return cables;
    }

    /** Reads a rate such as 100Gbps or 20Mb/s. */
    private long bits(String text) {
        String t = text.trim();
        int end = 0;
        while (end < t.length() && (Character.isDigit(t.charAt(end)) || t.charAt(end) == '.')) {
            end++;
        }
        String unit = t.substring(end).replace("/s", "ps");
        double scale = switch (unit) {
            case "bps" -> 1;
            case "Kbps", "kbps" -> 1e3;
            case "Mbps" -> 1e6;
            case "Gbps" -> 1e9;
            default -> throw new ConfigurationException(name + ": rate '" + text + "': expected for example 100Gbps");
        };
        return end == 0 ? 0 : Math.round(Double.parseDouble(t.substring(0, end)) * scale);
    }

    private long delay(String text) {
        String t = text.trim();
        double scale =
                t.endsWith("ms") ? 1e9 : t.endsWith("us") ? 1e6 : t.endsWith("ns") ? 1e3 : t.endsWith("s") ? PS : 0;
        String number = t.replaceAll("[a-z]+$", "");
        if (scale == 0 || number.isEmpty()) {
            throw new ConfigurationException(name + ": delay '" + text + "': expected for example 0.001ms");
        }
        return Math.round(Double.parseDouble(number) * scale);
    }

    private int number(String key, int otherwise) {
        return config.has(key) ? config.get(key).asInt() : otherwise;
    }

    private BridgeSpec bridge() {
        long bytes = (long) need(config, "BUFFER_SIZE").asInt() << 20;
        BufferSpec buffer = new BufferSpec(bytes, 1, RESERVE, RESUME_OFFSET, 0, 0);
        PauseSpec pause = new PauseSpec(1 << DATA_CLASS, PauseFrame.MAX_QUANTA, false, false);
        return BridgeSpec.of(buffer).withPause(pause).withExempt(1 << ANSWER_CLASS);
    }

    private PortSpec port(CableSpec cable, long nicKbps) {
        long flight = cable.delayPs() * cable.kbps() / 8_000_000_000L;
        int headroom = number("REF_HEADROOM", (int) (HEADROOM_FLIGHTS * flight));
        int alpha = ALPHA_LOG2;
        for (long rate = nicKbps; rate < cable.kbps(); rate *= 2) {
            alpha++;
        }
        PortSpec port = PortSpec.of(headroom, alpha);
        if (number("ENABLE_QCN", 1) == 0) {
            return port;
        }
        long kmin = Math.round(byRate("KMIN_MAP", cable) * KB);
        long kmax = Math.round(byRate("KMAX_MAP", cable) * KB);
        return port.withMarks(DATA_CLASS, MarkSpec.of(kmin, kmax, byRate("PMAX_MAP", cable)));
    }

    /** Reads a map such as "1 100000000000 400": a count, then pairs of rate and value. */
    private double byRate(String key, CableSpec cable) {
        String[] words = need(config, key).asText().trim().split("\\s+", -1);
        for (int i = 1; i + 1 < words.length; i += 2) {
            if (Long.parseLong(words[i]) == cable.kbps() * KB) {
                return Double.parseDouble(words[i + 1]);
            }
        }
        throw new ConfigurationException(name + ": " + key + " has no value for " + cable.kbps() * KB + " bit/s");
    }

    private LightSpec light(long lineRate) {
        RateRules rules = number("CC_MODE", 1) == 0 || number("ENABLE_QCN", 1) == 0 ? null : rules(lineRate);
        return new LightSpec(
                need(config, "PACKET_PAYLOAD_SIZE").asInt(),
                HEADER_BYTES,
                ANSWER_BYTES,
                Math.max(1, number("L2_ACK_INTERVAL", 1)),
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
        double gain = need(config, "EWMA_GAIN").asDouble();
        return new RateRules(
                lineRate,
                bits(need(config, "MIN_RATE").asText()),
                RateRules.gainOf(gain),
                AlphaClock.FREE_RUNNING,
                number("ALPHA_RESUME_INTERVAL", 1) * US,
                CutTrigger.MONITOR,
                CutOrder.CUT_FIRST,
                number("RATE_DECREASE_INTERVAL", 4) * US,
                1,
                number("RP_TIMER", 300) * US,
                RateRules.NO_BYTE_COUNTER,
                number("FAST_RECOVERY_TIMES", 1),
                false,
                bits(need(config, "RATE_AI").asText()),
                bits(need(config, "RATE_HAI").asText()),
                HyperRule.FLAT,
                number("CLAMP_TARGET_RATE", 0) == 0 ? Clamp.AFTER_INCREASE : Clamp.ALWAYS,
                false,
                0);
    }

    private List<FlowSpec> flows(int[] hostOf) {
        List<FlowSpec> flows = new ArrayList<>();
        for (JsonNode flow : need(root, "flows")) {
            int src = need(flow, "src").asInt();
            int dst = need(flow, "dst").asInt();
            if (src < 0 || dst < 0 || src >= hostOf.length || dst >= hostOf.length) {
                throw new ConfigurationException(name + ": flow " + flow + ": no such node");
            }
            flows.add(new FlowSpec(
                    "flow" + flows.size(),
                    hostOf[src],
                    hostOf[dst],
                    need(flow, "size").asLong(),
                    Math.round(need(flow, "start_s").asDouble() * PS),
                    -1));
        }
        return flows;
    }
}
