package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The single values of a result by their paths: names with dots between them, {@code latency_us.p99}. An element of a list has its {@code name} if all
 * have different ones, {@code stages.wire.duration_ns}, otherwise its place from 0.
 */
final class Measures {
    private static final Set<String> KNOWN = Set.of("schema", "version", "seed");

    private final Map<String, JsonNode> found = new LinkedHashMap<>();

    private Measures() {}

    /** Returns all values that are no lists and no objects, in the order of the document. */
    static Map<String, JsonNode> of(JsonNode document) {
        Measures m = new Measures();
        document.properties().forEach(e -> {
            if (!KNOWN.contains(e.getKey())) {
                m.add(e.getKey(), e.getValue());
            }
        });
        return m.found;
    }

    private void add(String path, JsonNode value) {
        if (value.isObject()) {
            value.properties().forEach(e -> add(path + "." + e.getKey(), e.getValue()));
        } else if (value.isArray()) {
            boolean named = named(value);
            for (int i = 0; i < value.size(); i++) {
                add(path + "." + (named ? value.get(i).get("name").asText() : Integer.toString(i)), value.get(i));
            }
        } else {
            found.put(path, value);
        }
    }

    private static boolean named(JsonNode list) {
        Set<String> names = new HashSet<>();
        for (JsonNode element : list) {
            if (!element.path("name").isTextual()
                    || !names.add(element.get("name").asText())) {
                return false;
            }
        }
        return true;
    }
}
