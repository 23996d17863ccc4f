package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What came of a row.
 *
 * @param exit code of the command
 * @param error the first line of what it said when it failed, else empty
 * @param notes what it remarked
 * @param result the document that it printed, without times of this machine; an empty object if it printed none
 */
public record RowResult(int exit, String error, List<String> notes, JsonNode result) {
    public RowResult {
        notes = List.copyOf(notes);
    }

    /** Whether the command did not end well. */
    public boolean failed() {
        return exit != 0;
    }
}
