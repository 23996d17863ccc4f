package dev.clockwire.bench.config.sonic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON document that knows its line.
 *
 * @param line of the value's beginning, from 1
 * @param text a scalar as it is written; null for objects and lists
 * @param fields of an object; the elements of a list by their numbers
 * @param isObject whether it has fields by name
 */
record JsonPlace(int line, @Nullable String text, Map<String, JsonPlace> fields, boolean isObject) {
    /** Reads a document; the parser's own limits bound depth and size. */
    static JsonPlace parse(String file, String text) {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = factory.createParser(text)) {
            parser.nextToken();
            JsonPlace root = value(parser);
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "something follows the document");
            }
            return root;
        } catch (JsonProcessingException e) {
            String at = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr();
            throw new ConfigurationException(file + at + ": not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigurationException(file + ": " + e.getMessage());
        }
    }

    private static JsonPlace value(JsonParser parser) throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, JsonPlace> fields = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, value(parser));
            }
            return new JsonPlace(line, null, fields, true);
        }
        if (token == JsonToken.START_ARRAY) {
            Map<String, JsonPlace> elements = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.put(Integer.toString(elements.size()), value(parser));
            }
            return new JsonPlace(line, null, elements, false);
        }
        return new JsonPlace(line, parser.getText() == null ? "" : parser.getText(), Map.of(), false);
    }

    /** Returns a field's text, a default if there is none. */
    String get(String name, String otherwise) {
        JsonPlace field = fields.get(name);
        return field == null || field.text == null ? otherwise : field.text;
    }

    /** Returns the line of a field, of the whole if there is none. */
    int lineOf(String name) {
        JsonPlace field = fields.get(name);
        return field == null ? line : field.line;
    }
}
