package dev.clockwire.bench.diagnose;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.text.JsonMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the JSON document of a run with {@code --counters}, {@code stats.json}, or what {@code rdma -j} and {@code ethtool --json} print. */
final class CounterJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern STAT = Pattern.compile("([^.]+(?:\\.port\\d+)?)\\.(.+)");

    /** Fields that say how long a run was, and how many of their units a second has. */
    private static final Map<String, Double> TIMES =
            Map.of("simulated_ns", 1e9, "simulated_ms", 1e3, "simulated_ps", 1e12);

    /** What a program counts itself. */
    private static final List<String> OF_PROGRAM = List.of("completions_out_of_order");

    private CounterJson() {}

    /** Reads a document; returns false if it is none. */
    static boolean read(String text, Counters into) {
        JsonNode root;
        try {
            root = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return false;
        }
        if (root.isArray()) {
            root.forEach(device -> ofTool(device, into));
            return true;
        }
        if (root.has("schema")) {
            into.since(Counters.Since.RUN);
        } else if (root.has("ifname")) {
            ofTool(root, into);
        }
        run(root, into);
        return true;
    }

    /** Returns what keeps a text from being a document. */
    static Optional<String> mistake(String text) {
        try {
            MAPPER.readTree(text);
            return Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.of(JsonMistake.text(e));
        }
    }

    /** One device of {@code rdma -j statistic show} or of {@code ethtool --json -S}. */
    private static void ofTool(JsonNode device, Counters into) {
        if (device.isObject()) {
            CounterText.put(into.machine(device.path("ifname").asText()), numbers(device));
        }
    }

    private static void run(JsonNode root, Counters into) {
        TIMES.forEach((field, units) -> {
            double time = root.path(field).asDouble() / units;
            if (time > 0 && into.seconds() == 0) {
                into.over(time);
            }
        });
        for (JsonNode host : root.path("counters")) {
            Machine machine = into.machine(host.path("host").asText());
            host.properties().forEach(kind -> CounterText.put(machine, numbers(kind.getValue())));
        }
        for (JsonNode view : root.path("device_view")) {
            List<String> lines = new ArrayList<>();
            view.path("lines").forEach(line -> lines.add(line.asText()));
            CounterText.read(lines, view.path("host").asText(), into);
        }
        for (JsonNode stat : root.path("stats")) {
            Matcher name = STAT.matcher(stat.path("name").asText());
            if (name.matches() && stat.path("value").isIntegralNumber()) {
                into.machine(name.group(1))
                        .number(
                                CounterText.plainName(name.group(2)),
                                stat.path("value").asLong());
            }
        }
        for (String name : OF_PROGRAM) {
            if (root.path(name).isIntegralNumber()) {
                into.machine("").number(name, root.path(name).asLong());
            }
        }
    }

    private static Map<String, Long> numbers(JsonNode object) {
        Map<String, Long> all = new TreeMap<>();
        object.properties().forEach(e -> {
            if (e.getValue().isIntegralNumber()
                    && e.getValue().canConvertToLong()
                    && e.getValue().asLong() >= 0) {
                all.put(e.getKey(), e.getValue().asLong());
            }
        });
        return all;
    }
}
