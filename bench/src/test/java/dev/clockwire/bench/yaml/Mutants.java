package dev.clockwire.bench.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** A document with one thing in it changed: a key that nobody knows, a value of another type. JSON is YAML, too. */
public final class Mutants {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final JsonNode root;
    private final List<Mutant> all = new ArrayList<>();

    /** A changed document, and where and how it was changed. */
    public record Mutant(String what, JsonNode document) {}

    private interface Place {
        void set(JsonNode value);
    }

    private Mutants(JsonNode root) {
        this.root = root;
    }

    /** Returns all; in mappings whose names match {@code free} files choose the keys and the values are the reader's own. */
    public static List<Mutant> of(JsonNode document, String free) {
        Mutants mutants = new Mutants(document.deepCopy());
        mutants.at(mutants.root, "", free);
        return mutants.all;
    }

    private void at(JsonNode node, String path, String free) {
        if (node instanceof ObjectNode map) {
            map.put("zzz", 1);
            add(path + ": unknown key");
            map.remove("zzz");
            List<String> keys = new ArrayList<>();
            map.fieldNames().forEachRemaining(keys::add);
            for (String key : keys) {
                if (!key.matches(free)) {
                    JsonNode value = map.get(key);
                    swap(value, path + "/" + key, v -> map.set(key, v));
                    at(value, path + "/" + key, free);
                }
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                int at = i;
                JsonNode value = list.get(i);
                swap(value, path + "/" + i, v -> list.set(at, v));
                at(value, path + "/" + i, free);
            }
        }
    }

    private void swap(JsonNode value, String path, Place place) {
        if (value.isNumber()) {
            put(JSON.textNode("word"), path + ": a word", place);
        }
        if (!value.isObject()) {
            put(JSON.objectNode().put("a", 1), path + ": a mapping", place);
        }
        if (value.isObject()) {
            put(JSON.numberNode(5), path + ": a number", place);
        }
        ArrayNode nested = JSON.arrayNode();
        nested.addArray().add(1);
        put(nested, path + ": a list of lists", place);
        place.set(value);
    }

    private void put(JsonNode value, String what, Place place) {
        place.set(value);
        add(what);
    }

    private void add(String what) {
        all.add(new Mutant(what, root.deepCopy()));
    }
}
