package dev.clockwire.bench.yaml;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.clockwire.bench.text.JsonMistake;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value of a JSON document that knows its line and its path. Whoever asks for what it is not gets an error with both, the value and what is valid. */
public final class PlacedJson {
    private final String file;
    private final int line;
    private final String path;
    private final JsonToken kind;
    private final String written;
    /** Fields of an object; elements of a list by their numbers. */
    private final Map<String, PlacedJson> parts = new LinkedHashMap<>();

    private PlacedJson(String file, JsonParser parser, String path) throws IOException {
        this.file = file;
        this.path = path;
        line = parser.currentTokenLocation().getLineNr();
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new JsonParseException(parser, "the file is empty");
        }
        kind = token;
        written = token.isScalarValue() ? parser.getText() : "";
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                parts.put(name, new PlacedJson(file, parser, path.isEmpty() ? name : path + "." + name));
            }
        } else if (token == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String place = path + "[" + parts.size() + "]";
                parts.put(Integer.toString(parts.size()), new PlacedJson(file, parser, place));
            }
        }
    }

    /**
     * Reads a document.
     *
     * @param file what errors call it
     * @throws ConfigurationException if it is not JSON, or a field stands twice
     */
    public static PlacedJson parse(String file, String text) {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = factory.createParser(text)) {
            parser.nextToken();
            PlacedJson root = new PlacedJson(file, parser, "");
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "something follows the document");
            }
            return root;
        } catch (JsonProcessingException e) {
            String at = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr();
            throw new ConfigurationException(file + at + ": not JSON: " + JsonMistake.problem(e));
        } catch (IOException e) {
            throw new ConfigurationException(file + ": " + e.getMessage());
        }
    }

    /** Returns an error about this value, to be thrown. */
    public ConfigurationException error(String text) {
        return new ConfigurationException(file + ":" + line + ": " + (path.isEmpty() ? "" : path + ": ") + text);
    }

    /** Returns an error that names the value by itself, to be thrown. */
    public ConfigurationException refused(String text) {
        return new ConfigurationException(file + ":" + line + ": " + text);
    }

    /** Something that is built from values. */
    public interface Made<T> {
        T make();
    }

    /** Builds something; an error that does not say where gets the place of this value. */
    public <T> T at(Made<T> made) {
        try {
            return made.make();
        } catch (ConfigurationException e) {
            String text = String.valueOf(e.getMessage());
            throw text.startsWith(file + ":") ? e : error(text);
        }
    }

    /** Returns a field of an object, or complains that it is missing. */
    public PlacedJson need(String field) {
        return find(field).orElseThrow(() -> error("no field " + field));
    }

    /** Returns a field of an object, if it is there. */
    public Optional<PlacedJson> find(String field) {
        if (kind != JsonToken.START_OBJECT) {
            throw error("expected an object, found " + found());
        }
        return Optional.ofNullable(parts.get(field)).filter(v -> v.kind != JsonToken.VALUE_NULL);
    }

    /** Returns the elements of a list. */
    public List<PlacedJson> elements() {
        if (kind != JsonToken.START_ARRAY) {
            throw error("expected a list, found " + found());
        }
        return new ArrayList<>(parts.values());
    }

    /** Returns a string. */
    public String text() {
        if (kind != JsonToken.VALUE_STRING) {
            throw error("expected a string, found " + found());
        }
        return written;
    }

    /** Returns a whole number between two bounds, both included. */
    public long integer(long least, long most) {
        BigDecimal value = decimal(Long.toString(least), Long.toString(most));
        if (value.stripTrailingZeros().scale() > 0) {
            throw error(written + " is no whole number from " + least + " to " + most);
        }
        if (value.compareTo(BigDecimal.valueOf(least)) < 0 || value.compareTo(BigDecimal.valueOf(most)) > 0) {
            throw error(written + " is outside its range " + least + " to " + most);
        }
        return value.longValueExact();
    }

    /** Returns a number between two bounds, both included. */
    public double number(double least, double most) {
        double value = decimal(Plain.text(least), Plain.text(most)).doubleValue();
        if (!(value >= least && value <= most)) {
            throw error(written + " is outside its range " + Plain.text(least) + " to " + Plain.text(most));
        }
        return value;
    }

    private BigDecimal decimal(String least, String most) {
        if (!kind.isNumeric()) {
            throw error("expected a number from " + least + " to " + most + ", found " + found());
        }
        try {
            return new BigDecimal(written);
        } catch (NumberFormatException e) {
            throw error(written + " is no number from " + least + " to " + most);
        }
    }

    /** Returns the line of the value's beginning, from 1. */
    public int line() {
        return line;
    }

    /** Whether it has fields by name. */
    public boolean isObject() {
        return kind == JsonToken.START_OBJECT;
    }

    /** Whether it is one value, no object and no list. */
    public boolean isScalar() {
        return kind.isScalarValue();
    }

    /** Returns the fields of an object, or the elements of a list by their numbers, in the order of the file. */
    public Map<String, PlacedJson> parts() {
        return Collections.unmodifiableMap(parts);
    }

    /** Returns the value as it stands in the file. */
    public String written() {
        return written;
    }

    private String found() {
        return switch (kind) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> '"' + written + '"';
            default -> written;
        };
    }
}
