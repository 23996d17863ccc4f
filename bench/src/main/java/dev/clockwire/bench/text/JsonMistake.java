package dev.clockwire.bench.text;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Pattern;

/** What is wrong with a JSON text, for its reader: where, and nothing of the library that has found it. */
public final class JsonMistake {
    /** The library's own words: where a list began, {@code (start marker at [Source: …])}, and which of its methods sets a limit. */
    private static final Pattern INNER =
            Pattern.compile(" \\(start marker at \\[.*?]\\)|, from `[^`]*`|\\R.*", Pattern.DOTALL);

    private JsonMistake() {}

    /** Returns {@code line 3, column 5: } and what stands wrong there, on one line. */
    public static String text(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        return where + problem(e);
    }

    /** Returns what is wrong, without its place. */
    public static String problem(JsonProcessingException e) {
        return INNER.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
    }
}
