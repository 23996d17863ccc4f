package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
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
    private static final double PS = 1e6;
    private static final double LONGEST_US = 1e7;

    private static final Kind TIME = Kind.number(0, LONGEST_US);
    private static final Shape CNP = Shape.of()
            .key("interval_us", TIME, "least time between two CNPs")
            .key("per", Kind.choice(List.of("flow", "port")), "whose interval it is")
            .key("latency_us", TIME, "time from a mark to its CNP")
            .key("in_acks", Kind.flag(), "marks come back in ACKs, not in CNPs");
    static final Shape SHAPE = Shape.of()
            .key("payload", Kind.integer(1, 9000), "bytes of data in a frame")
            .key("header_bytes", Kind.integer(0, 256), "bytes around them")
            .key("answer_bytes", Kind.integer(1, 256), "bytes of an ACK, NAK or CNP")
            .key("ack_every", Kind.integer(1, 1 << 16), "frames for each ACK")
            .key("priority", Kind.integer(0, 7), "class of data")
            .key("pfc", SwitchReader.SOME, "classes in which pauses are obeyed")
            .key("answer_priority", Kind.integer(0, 7), "class of ACKs, NAKs and CNPs")
            .key("dcqcn", Kind.choice(List.of("off", "paper", "nvidia", "hpcc")), "preset of DCQCN")
            .key("cnp", Kind.group(CNP), "when CNPs are sent")
            .key("recovery", Kind.choice(List.of("go-back-n", "selective")), "what is sent again after a loss")
            .key("nak_us", TIME, "time from a gap to its NAK")
            .key("timeout_us", TIME, "silence after which everything is sent again")
            .key("retries", Kind.integer(0, 7), "how often")
            .key("window_kb", Kind.number(0, 1e9), "most data without an ACK, 0 for no limit")
            .key("nic", Kind.named(Kind.named(Kind.text())), "with whole devices: parameters of some hosts")
            .key("config", ImportedNodes.CONFIG, "files of real hosts");

    private final Map<String, YamlValue> keys;

    private HostReader(Map<String, YamlValue> keys) {
        this.keys = keys;
    }

    static LightSpec read(Optional<YamlValue> value, long lineRate) {
        LightSpec usual = LightSpec.roce(lineRate);
        if (value.isEmpty()) {
            return usual;
        }
        HostReader r = new HostReader(value.get().entries());
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
        Map<String, YamlValue> cnpKeys = cnp == null ? Map.of() : cnp.entries();
        return new LightSpec(
                integer("payload", usual.payload()),
                integer("header_bytes", usual.headerBytes()),
                integer("answer_bytes", usual.answerBytes()),
                integer("ack_every", usual.ackEvery()),
                integer("priority", usual.dataDscp() >> 3) << 3,
                integer("answer_priority", usual.answerDscp() >> 3) << 3,
                keys.containsKey("dcqcn") ? rules(keys.get("dcqcn"), lineRate) : usual.rules(),
                cnpKeys.containsKey("in_acks") && cnpKeys.get("in_acks").flag(),
                time(cnpKeys.get("interval_us"), usual.cnpPs()),
                cnpKeys.containsKey("per") && perPort(cnpKeys.get("per")),
                time(cnpKeys.get("latency_us"), usual.cnpLatencyPs()),
                keys.containsKey("recovery") ? repeat(keys.get("recovery")) : usual.repeat(),
                time(keys.get("nak_us"), usual.nakPs()),
                time(keys.get("timeout_us"), usual.timeoutPs()),
                integer("retries", usual.retries()),
                keys.containsKey("window_kb") ? Math.round(keys.get("window_kb").number() * 1000) : usual.window());
    }

    private int integer(String key, int otherwise) {
        YamlValue value = keys.get(key);
        return value == null ? otherwise : (int) value.integer();
    }

    private static long time(@Nullable YamlValue us, long otherwise) {
        return us == null ? otherwise : Math.round(us.number() * PS);
    }

    private static boolean perPort(YamlValue value) {
        return value.choice("owner of the interval").equals("port");
    }

    private static LightSpec.Repeat repeat(YamlValue value) {
        return value.choice("recovery").equals("selective") ? LightSpec.Repeat.SELECTIVE : LightSpec.Repeat.GO_BACK_N;
    }

    private static @Nullable RateRules rules(YamlValue value, long lineRate) {
        return switch (value.choice("preset of DCQCN")) {
            case "paper" -> RateRules.paper(lineRate);
            case "nvidia" -> RateRules.nvidia(lineRate);
            case "hpcc" -> RateRules.hpcc(lineRate);
            default -> null;
        };
    }
}
