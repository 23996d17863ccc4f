package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of a row.
 *
 * @param exit code of the command
 * @param error the first line of what it said when it failed, else empty
 * @param notes what it remarked
 * @param result the document that it printed, without times of this machine; an empty object if it printed none
 */
public record RowResult(int exit, String error, List<String> notes, JsonNode result) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> OF_THE_MACHINE = List.of("wall_s", "cpu_s");
    private static final String PREFIX = "clockwire: ";
    private static final int INTERRUPTED = 130;

    public RowResult {
        notes = List.copyOf(notes);
    }

    /** Whether the command did not end well. */
    public boolean failed() {
        return exit != 0;
    }

    /** Returns what came of a command; empty if it was interrupted. */
    public static Optional<RowResult> of(Runner.Ended ended) {
        if (ended.exit() == INTERRUPTED) {
            return Optional.empty();
        }
        List<String> said = ended.err().lines().map(RowResult::plain).toList();
        boolean gaveUp = ended.out().isBlank();
        String error = ended.exit() == 0 ? "" : gaveUp && !said.isEmpty() ? said.get(0) : "a check failed";
        JsonNode document = MAPPER.createObjectNode();
        try {
            if (!gaveUp) {
                document = MAPPER.readTree(ended.out());
            }
        } catch (JsonProcessingException e) {
            throw new InvariantViolation("a command printed no JSON document: " + e.getOriginalMessage());
        }
        strip(document);
        return Optional.of(new RowResult(ended.exit(), error, gaveUp ? List.of() : said, document));
    }

    /** Returns it as one line of JSON, to be sent from one machine to another. */
    public String text() {
        return json().toString();
    }

    /** Reads {@link #text}. */
    public static RowResult parse(String text) {
        try {
            return of(MAPPER.readTree(text));
        } catch (JsonProcessingException e) {
            throw new InvariantViolation("no result of a row: " + e.getOriginalMessage());
        }
    }

    ObjectNode json() {
        ObjectNode json = MAPPER.createObjectNode().put("exit", exit).put("error", error);
        json.set("notes", MAPPER.valueToTree(notes));
        json.set("result", result);
        return json;
    }

    /** Reads {@link #json}; there may be other fields beside these. */
    static RowResult of(JsonNode json) {
        return new RowResult(
                json.path("exit").asInt(), json.path("error").asText(), words(json.path("notes")), json.path("result"));
    }

    static List<String> words(JsonNode list) {
        List<String> words = new ArrayList<>();
        list.forEach(w -> words.add(w.asText()));
        return words;
    }

    private static String plain(String line) {
        return line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : line;
    }

    /** Removes what depends on the machine and on what else it does: the same rows leave the same files everywhere. */
    private static void strip(JsonNode part) {
        if (part instanceof ObjectNode object) {
            object.remove(OF_THE_MACHINE);
        }
        part.forEach(RowResult::strip);
    }
}
