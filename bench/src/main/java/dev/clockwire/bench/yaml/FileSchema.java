package dev.clockwire.bench.yaml;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;

/** The JSON schema (draft 2020-12) of a kind of files, made from the description that their reader reads by. */
public final class FileSchema {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> TRUE = Set.of("true", "yes", "on");
    private static final Set<String> FALSE = Set.of("false", "no", "off");
    /** Sizes with units as {@link YamlValue#size} takes them. */
    private static final String SIZE = "^\\d{1,15}(\\.\\d{1,9})? ?[kKMG](B|iB)?$";

    private FileSchema() {}

    /**
     * Returns the schema of a file.
     *
     * @param title what the file is
     */
    public static ObjectNode of(String title, Shape file) {
        ObjectNode schema = JSON.objectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", title);
        schema.setAll(group(file));
        return schema;
    }

    /** Lists words as an enumeration; YAML reads some of them as numbers, or as true and false. */
    public static void words(ObjectNode value, List<String> words) {
        ArrayNode list = value.putArray("enum");
        for (String word : words) {
            if (word.matches("\\d+")) {
                list.add(Long.parseLong(word));
                continue;
            }
            list.add(word);
            if (TRUE.contains(word) || FALSE.contains(word)) {
                list.add(TRUE.contains(word));
            }
        }
    }

    private static ObjectNode node(Kind kind) {
        ObjectNode node = JSON.objectNode();
        if (kind instanceof Kind.Num n) {
            node.put("type", "number").put("minimum", n.least()).put("maximum", n.most());
        } else if (kind instanceof Kind.Whole n) {
            whole(node, n.least(), n.most());
        } else if (kind instanceof Kind.Size n) {
            ArrayNode any = node.putArray("anyOf");
            whole(any.addObject(), n.least(), n.most());
            any.addObject().put("type", "string").put("pattern", SIZE);
        } else if (kind instanceof Kind.Flag) {
            words(node, List.of("true", "yes", "on", "false", "no", "off"));
        } else if (kind instanceof Kind.Choice c) {
            words(node, c.words());
        } else if (kind instanceof Kind.Text) {
            node.putArray("type").add("string").add("number").add("boolean");
        } else if (kind instanceof Kind.Items items) {
            return items(items);
        } else if (kind instanceof Kind.Group g) {
            return group(g.shape());
        } else if (kind instanceof Kind.Variants v) {
            ArrayNode any = node.putArray("oneOf");
            v.shapes().forEach((name, shape) -> any.add(variant(v.key(), name, shape)));
        } else if (kind instanceof Kind.Either either) {
            ArrayNode any = node.putArray("anyOf");
            either.kinds().forEach(k -> any.add(node(k)));
        }
        return node;
    }

    private static void whole(ObjectNode node, long least, long most) {
        node.put("type", "integer").put("minimum", least);
        node.put("maximum", new BigInteger(Long.toUnsignedString(most)));
    }

    private static ObjectNode items(Kind.Items items) {
        ObjectNode list = JSON.objectNode().put("type", "array");
        list.set("items", node(items.item()));
        if (items.least() > 0) {
            list.put("minItems", items.least());
        }
        if (items.most() < Kind.ANY) {
            list.put("maxItems", items.most());
        }
        if (!items.orOne()) {
            return list;
        }
        ObjectNode either = JSON.objectNode();
        either.putArray("anyOf").add(node(items.item())).add(list);
        return either;
    }

    private static ObjectNode group(Shape shape) {
        ObjectNode node = JSON.objectNode().put("type", "object");
        ObjectNode properties = node.putObject("properties");
        shape.keys()
                .forEach((name, key) -> properties.set(name, node(key.kind()).put("description", key.meaning())));
        Kind others = shape.others();
        if (others == null) {
            node.put("additionalProperties", false);
        } else {
            node.set("additionalProperties", node(others));
        }
        List<String> required = shape.keys().entrySet().stream()
                .filter(e -> e.getValue().required())
                .map(e -> e.getKey())
                .toList();
        if (!required.isEmpty()) {
            ArrayNode list = node.putArray("required");
            required.forEach(list::add);
        }
        if (!shape.ones().isEmpty()) {
            ArrayNode all = node.putArray("allOf");
            for (Set<String> one : shape.ones()) {
                ArrayNode either = all.addObject().putArray("oneOf");
                one.forEach(name -> either.addObject().putArray("required").add(name));
            }
        }
        return node;
    }

    private static ObjectNode variant(String key, String name, Shape shape) {
        ObjectNode node = group(shape);
        ((ObjectNode) node.required("properties").required(key)).removeAll().put("const", name);
        return node;
    }
}
