package dev.clockwire.bench.diagnose;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the JSON document of a run with {@code --counters}, or {@code stats.json}. */
final class CounterJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern STAT = Pattern.compile("([^.]+(?:\\.port\\d+)?)\\.(.+)");

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
                                CounterText.plain(name.group(2)),
                                stat.path("value").asLong());
            }
        }
        for (String name : OF_PROGRAM) {
            if (root.path(name).isIntegralNumber()) {
                into.machine("").number(name, root.path(name).asLong());
            }
        }
        return true;
    }

    private static Map<String, Long> numbers(JsonNode object) {
        Map<String, Long> all = new TreeMap<>();
        object.properties().forEach(e -> {
            if (e.getValue().isIntegralNumber()) {
                all.put(e.getKey(), e.getValue().asLong());
            }
        });
        return all;
    }
}
