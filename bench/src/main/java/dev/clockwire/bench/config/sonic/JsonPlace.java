package dev.clockwire.bench.config.sonic;

import dev.clockwire.bench.yaml.PlacedJson;
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
        return of(PlacedJson.parse(file, text));
    }

    private static JsonPlace of(PlacedJson value) {
        Map<String, JsonPlace> fields = new LinkedHashMap<>();
        value.parts().forEach((name, part) -> fields.put(name, of(part)));
        return new JsonPlace(value.line(), value.isScalar() ? value.written() : null, fields, value.isObject());
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
