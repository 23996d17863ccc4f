package dev.clockwire.bench.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The words of JSON schema that our schemas use, by the specification (draft 2020-12); an unknown word fails. */
public final class SchemaCheck {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> SAY_NOTHING = Set.of("$schema", "title", "description", "default", "properties");

    private SchemaCheck() {}

    /** Returns a document with the types that editors see. */
    public static JsonNode yaml(String text) {
        Object loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        return JSON.valueToTree(withNames(loaded));
    }

    /** Keys are texts in JSON. */
    private static Object withNames(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> named = new LinkedHashMap<>();
            map.forEach((k, v) -> named.put(String.valueOf(k), withNames(v)));
            return named;
        }
        return value instanceof List<?> list
                ? list.stream().map(SchemaCheck::withNames).toList()
                : value;
    }

    /** Whether a schema lets a document be. */
    public static boolean accepts(JsonNode schema, JsonNode document) {
        List<Boolean> verdicts = new ArrayList<>();
        schema.properties().forEach(word -> verdicts.add(holds(schema, word.getKey(), word.getValue(), document)));
        return !verdicts.contains(false);
    }

    private static boolean holds(JsonNode schema, String word, JsonNode rule, JsonNode d) {
        if (SAY_NOTHING.contains(word)) {
            return !word.equals("properties") || !d.isObject() || properties(rule, d);
        }
        Predicate<JsonNode> accepts = s -> accepts(s, d);
        return switch (word) {
            case "type" -> rule.isArray() ? any(rule, t -> isOf(t.asText(), d)) > 0 : isOf(rule.asText(), d);
            case "enum" -> any(rule, r -> same(r, d)) > 0;
            case "const" -> same(rule, d);
            case "minimum" -> !d.isNumber() || d.decimalValue().compareTo(rule.decimalValue()) >= 0;
            case "maximum" -> !d.isNumber() || d.decimalValue().compareTo(rule.decimalValue()) <= 0;
            case "pattern" ->
                !d.isTextual()
                        || Pattern.compile(rule.asText()).matcher(d.asText()).find();
            case "required" -> !d.isObject() || any(rule, r -> !d.has(r.asText())) == 0;
            case "additionalProperties" -> !d.isObject() || others(schema, rule, d);
            case "items" -> !d.isArray() || any(d, item -> !accepts(rule, item)) == 0;
            case "minItems" -> !d.isArray() || d.size() >= rule.asInt();
            case "maxItems" -> !d.isArray() || d.size() <= rule.asInt();
            case "anyOf" -> any(rule, accepts) > 0;
            case "oneOf" -> any(rule, accepts) == 1;
            case "allOf" -> any(rule, accepts) == rule.size();
            default -> throw new AssertionError("the schema has the word " + word);
        };
    }

    private static boolean properties(JsonNode rules, JsonNode d) {
        List<String> wrong = new ArrayList<>();
        rules.properties().forEach(r -> {
            if (d.has(r.getKey()) && !accepts(r.getValue(), d.get(r.getKey()))) {
                wrong.add(r.getKey());
            }
        });
        return wrong.isEmpty();
    }

    private static boolean others(JsonNode schema, JsonNode rule, JsonNode d) {
        List<String> wrong = new ArrayList<>();
        d.properties().forEach(f -> {
            boolean known = schema.path("properties").has(f.getKey());
            if (!known && (rule.isBoolean() ? !rule.asBoolean() : !accepts(rule, f.getValue()))) {
                wrong.add(f.getKey());
            }
        });
        return wrong.isEmpty();
    }

    private static int any(JsonNode list, Predicate<JsonNode> of) {
        int n = 0;
        for (JsonNode one : list) {
            n += of.test(one) ? 1 : 0;
        }
        return n;
    }

    private static boolean same(JsonNode a, JsonNode b) {
        return (a.isNumber() && b.isNumber()) ? a.decimalValue().compareTo(b.decimalValue()) == 0 : a.equals(b);
    }

    private static boolean isOf(String type, JsonNode d) {
        return switch (type) {
            case "object" -> d.isObject();
            case "array" -> d.isArray();
            case "string" -> d.isTextual();
            case "boolean" -> d.isBoolean();
            case "number" -> d.isNumber();
            case "integer" ->
                d.isNumber() && d.decimalValue().stripTrailingZeros().scale() <= 0;
            default -> throw new AssertionError("type " + type);
        };
    }
}
