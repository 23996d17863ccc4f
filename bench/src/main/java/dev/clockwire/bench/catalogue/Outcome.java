package dev.clockwire.bench.catalogue;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What came of a command.
 *
 * @param document the JSON that it printed; of one that failed {@code {"failed":1,"error":TEXT}}
 * @param text what somebody would paste who asks for help: the document, or the error
 */
public record Outcome(JsonNode document, String text) {}
