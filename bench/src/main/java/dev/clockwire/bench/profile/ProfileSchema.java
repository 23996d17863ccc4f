package dev.clockwire.bench.profile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.yaml.FileSchema;
import dev.clockwire.nic.profile.Param;
import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profiles;
import java.util.List;

/** The JSON schema (draft 2020-12) of {@link ProfileFile}, made from the catalogue of parameters. */
public final class ProfileSchema {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ProfileSchema() {}

    /** Returns the schema. */
    public static ObjectNode of() {
        ObjectNode schema = JSON.objectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", "Clockwire hardware profile");
        object(schema);
        ObjectNode properties = schema.putObject("properties");
        ObjectNode base = properties
                .putObject(ProfileFile.BASE)
                .put("description", "Built-in profile that the values are laid over")
                .put("default", Profiles.DEFAULT);
        FileSchema.words(base, Profiles.all().stream().map(p -> p.name()).toList());
        properties
                .putObject(ProfileFile.TITLE)
                .put("type", "string")
                .put("description", "One line that says what hardware it is");
        ObjectNode definitions = schema.putObject("$defs");
        for (Param p : Parameters.all()) {
            definitions.set(p.path(), parameter(p));
            properties.set(p.path(), reference(p));
            place(properties, p);
        }
        return schema;
    }

    private static ObjectNode reference(Param p) {
        return JSON.objectNode().put("$ref", "#/$defs/" + p.path());
    }

    /** Puts a reference to a parameter where its path leads. */
    private static void place(ObjectNode root, Param p) {
        List<String> names = List.of(p.path().split("\\."));
        ObjectNode properties = root;
        for (String group : names.subList(0, names.size() - 1)) {
            ObjectNode inside = (ObjectNode) properties.get(group);
            if (inside == null) {
                inside = object(properties.putObject(group));
                inside.putObject("properties");
            }
            properties = (ObjectNode) inside.required("properties");
        }
        properties.set(names.get(names.size() - 1), reference(p));
    }

    private static ObjectNode object(ObjectNode node) {
        return node.put("type", "object").put("additionalProperties", false);
    }

    private static ObjectNode parameter(Param p) {
        ObjectNode node = JSON.objectNode();
        String unit = p.unit().isEmpty() ? "" : " (" + p.unit() + ")";
        node.put("description", p.meaning() + unit + "; allowed: " + p.allowed());
        ObjectNode value = JSON.objectNode();
        bounds(value, p);
        ObjectNode about = object(JSON.objectNode());
        about.putArray("required").add("value");
        ObjectNode parts = about.putObject("properties");
        parts.set("value", value);
        parts.putObject("source").put("type", "string").put("description", "Where the number comes from");
        FileSchema.words(parts.putObject("confidence"), ProfileFile.CONFIDENCES);
        node.putArray("anyOf").add(value.deepCopy()).add(about);
        return node;
    }

    private static void bounds(ObjectNode value, Param p) {
        switch (p.kind()) {
            case INTEGER ->
                value.put("type", "integer").put("minimum", (long) p.min()).put("maximum", (long) p.max());
            case NUMBER -> value.put("type", "number").put("minimum", p.min()).put("maximum", p.max());
            case SWITCH -> value.put("type", "boolean");
            case CHOICE -> FileSchema.words(value, p.choices());
        }
    }
}
