package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.host.PrioritySpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what all hosts have in common; what is left out has the value of {@link LightSpec#roce}. */
final class HostReader {
    private static final List<String> KEYS = List.of(
            "payload",
            "header_bytes",
            "answer_bytes",
            "ack_every",
            "priority",
            "pfc",
            "answer_priority",
            "dcqcn",
            "cnp",
            "recovery",
            "nak_us",
            "timeout_us",
            "retries",
            "window_kb",
            "nic",
            "config");
    private static final double PS = 1e6;
    private static final double LONGEST_US = 1e7;

    private final Map<String, YamlValue> keys;

    private HostReader(Map<String, YamlValue> keys) {
        this.keys = keys;
    }

    static LightSpec read(Optional<YamlValue> value, long lineRate) {
        LightSpec usual = LightSpec.roce(lineRate);
        if (value.isEmpty()) {
            return usual;
        }
        HostReader r = new HostReader(value.get().map(KEYS));
        LightSpec spec = FabricFile.at(value.get(), () -> r.spec(usual, lineRate));
        YamlValue pfc = r.keys.get("pfc");
        boolean silent = spec.rules() == null && !r.keys.containsKey("cnp");
        if (pfc == null && !silent) {
            return spec;
        }
        PrioritySpec was = spec.priorities();
        int obeyed = pfc == null ? was.obeyed() : SwitchReader.classes(pfc);
        return spec.withPriorities(
                spec.dataDscp(), spec.answerDscp(), new PrioritySpec(was.classes(), obeyed, !silent));
    }

    private LightSpec spec(LightSpec usual, long lineRate) {
        YamlValue cnp = keys.get("cnp");
        Map<String, YamlValue> cnpKeys =
                cnp == null ? Map.of() : cnp.map(List.of("interval_us", "per", "latency_us", "in_acks"));
        return new LightSpec(
                integer("payload", 1, 9000, usual.payload()),
                integer("header_bytes", 0, 256, usual.headerBytes()),
                integer("answer_bytes", 1, 256, usual.answerBytes()),
                integer("ack_every", 1, 1 << 16, usual.ackEvery()),
                integer("priority", 0, 7, usual.dataDscp() >> 3) << 3,
                integer("answer_priority", 0, 7, usual.answerDscp() >> 3) << 3,
                keys.containsKey("dcqcn") ? rules(keys.get("dcqcn"), lineRate) : usual.rules(),
                cnpKeys.containsKey("in_acks") && SwitchReader.flag(cnpKeys.get("in_acks")),
                time(cnpKeys.get("interval_us"), usual.cnpPs()),
                cnpKeys.containsKey("per") && perPort(cnpKeys.get("per")),
                time(cnpKeys.get("latency_us"), usual.cnpLatencyPs()),
                keys.containsKey("recovery") ? repeat(keys.get("recovery")) : usual.repeat(),
                time(keys.get("nak_us"), usual.nakPs()),
                time(keys.get("timeout_us"), usual.timeoutPs()),
                integer("retries", 0, 7, usual.retries()),
                keys.containsKey("window_kb")
                        ? Math.round(keys.get("window_kb").number(0, 1e9) * 1000)
                        : usual.window());
    }

    private int integer(String key, int least, int most, int otherwise) {
        YamlValue value = keys.get(key);
        return value == null ? otherwise : (int) value.integer(least, most);
    }

    private static long time(@Nullable YamlValue us, long otherwise) {
        return us == null ? otherwise : Math.round(us.number(0, LONGEST_US) * PS);
    }

    private static boolean perPort(YamlValue value) {
        return switch (value.text()) {
            case "port" -> true;
            case "flow" -> false;
            default -> throw value.unknown("owner of the interval", value.text(), List.of("flow", "port"));
        };
    }

    private static LightSpec.Repeat repeat(YamlValue value) {
        return switch (value.text()) {
            case "go-back-n" -> LightSpec.Repeat.GO_BACK_N;
            case "selective" -> LightSpec.Repeat.SELECTIVE;
            default -> throw value.unknown("recovery", value.text(), List.of("go-back-n", "selective"));
        };
    }

    private static @Nullable RateRules rules(YamlValue value, long lineRate) {
        return switch (value.text()) {
            case "off" -> null;
            case "paper" -> RateRules.paper(lineRate);
            case "nvidia" -> RateRules.nvidia(lineRate);
            case "hpcc" -> RateRules.hpcc(lineRate);
            default -> throw value.unknown("preset of DCQCN", value.text(), List.of("off", "paper", "nvidia", "hpcc"));
        };
    }
}
