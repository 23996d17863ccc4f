package dev.clockwire.bench.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * One JSON document: {@code "schema": "clockwire.<name>/1"}, the version, then the fields of the command. Records are
 * written with snake_case names; absent values are the command's own business ({@code null} is written as null).
 */
public final class JsonDocument {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final ObjectNode fields = MAPPER.createObjectNode();

    /** Starts a document of schema {@code clockwire.<name>/1}. */
    public JsonDocument(String name) {
        fields.put("schema", "clockwire." + name + "/1");
        fields.put("version", Version.text());
    }

    /** Adds one field; records, collections, maps, strings and numbers are understood. */
    public JsonDocument with(String field, @Nullable Object value) {
        fields.set(field, MAPPER.valueToTree(value));
        return this;
    }

    /** Adds every component of a record as a field of its own. */
    public JsonDocument withAll(Record body) {
        fields.setAll((ObjectNode) MAPPER.valueToTree(body));
        return this;
    }

    /** Adds one field whose value is JSON already. */
    public JsonDocument withJson(String field, String json) {
        fields.putRawValue(field, new RawValue(json));
        return this;
    }

    void writeTo(PrintStream out) throws JsonProcessingException {
        out.println(MAPPER.writeValueAsString(fields));
    }
}
