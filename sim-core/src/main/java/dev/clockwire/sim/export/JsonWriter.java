package dev.clockwire.sim.export;

import dev.clockwire.sim.error.InvariantViolation;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON document (RFC 8259) piece by piece, indented by two spaces, or on one line. Misplaced calls are an
 * InvariantViolation, so what comes out is always well formed.
 */
public final class JsonWriter {
    private static final int DEEPEST = 64;
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][-+]?[0-9]++)?");

    private final Appendable out;
    private final boolean indented;
    private final boolean[] array = new boolean[DEEPEST];
    private final boolean[] filled = new boolean[DEEPEST];
    private int depth;
    private boolean named;
    private boolean done;

    /** Creates a writer of an indented document. */
    public JsonWriter(Appendable out) {
        this(out, true);
    }

    /** Creates a writer; without indentation the document is one line, as JSON Lines needs. */
    public JsonWriter(Appendable out, boolean indented) {
        this.out = out;
        this.indented = indented;
    }

    /** Starts an object, as the document, as an element or as the value of a name. */
    public JsonWriter beginObject() {
        return begin('{', false);
    }

    /** Ends the innermost object. */
    public JsonWriter endObject() {
        return end('}', false);
    }

    /** Starts an array. */
    public JsonWriter beginArray() {
        return begin('[', true);
    }

    /** Ends the innermost array. */
    public JsonWriter endArray() {
        return end(']', true);
    }

    /** Writes the name of the next value of an object. */
    public JsonWriter name(String name) {
        check(depth > 0 && !array[depth] && !named, "name " + name);
        separate();
        quote(name);
        put(indented ? ": " : ":");
        named = true;
        return this;
    }

    /** Writes a string, or null. */
    public JsonWriter value(@Nullable String x) {
        place("a string");
        if (x == null) {
            put("null");
        } else {
            quote(x);
        }
        return this;
    }

    /** Writes an integer. */
    public JsonWriter value(long x) {
        place("a number");
        put(Long.toString(x));
        return this;
    }

    /** Writes a finite number with 15 significant digits. */
    public JsonWriter value(double x) {
        place("a number");
        put(Decimals.text("a JSON number", x));
        return this;
    }

    /** Writes a number as somebody else has written it: any size, any digits. */
    public JsonWriter number(String literal) {
        check(NUMBER.matcher(literal).matches(), "a number that is none");
        place("a number");
        put(literal);
        return this;
    }

    /** Writes true or false. */
    public JsonWriter value(boolean x) {
        place("a boolean");
        put(Boolean.toString(x));
        return this;
    }

    /** Writes null. */
    public JsonWriter nullValue() {
        return value((String) null);
    }

    /** Writes a name and its value. */
    public JsonWriter field(String name, @Nullable String x) {
        return name(name).value(x);
    }

    /** Writes a name and its value. */
    public JsonWriter field(String name, long x) {
        return name(name).value(x);
    }

    /** Writes a name and its value. */
    public JsonWriter field(String name, double x) {
        return name(name).value(x);
    }

    /** Writes a name and its value. */
    public JsonWriter field(String name, boolean x) {
        return name(name).value(x);
    }

    /** Checks that the document is complete and ends its line. */
    public void finish() {
        check(done, "the end");
        put("\n");
    }

    private JsonWriter begin(char bracket, boolean isArray) {
        place(isArray ? "an array" : "an object");
        done = false;
        check(depth < DEEPEST - 1, "level " + DEEPEST);
        depth++;
        array[depth] = isArray;
        filled[depth] = false;
        put(bracket);
        return this;
    }

    private JsonWriter end(char bracket, boolean isArray) {
        check(depth > 0 && array[depth] == isArray && !named, "the end of " + (isArray ? "an array" : "an object"));
        boolean empty = !filled[depth];
        depth--;
        if (!empty) {
            newLine();
        }
        put(bracket);
        done = depth == 0;
        return this;
    }

    private void place(String what) {
        check(!done && (depth == 0 || array[depth] || named), what);
        if (depth > 0 && array[depth]) {
            separate();
        }
        named = false;
        done = depth == 0;
    }

    private void separate() {
        if (filled[depth]) {
            put(',');
        }
        filled[depth] = true;
        newLine();
    }

    private void newLine() {
        if (indented) {
            put('\n');
            for (int i = 0; i < depth; i++) {
                put("  ");
            }
        }
    }

    private void quote(String s) {
        put('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            switch (c) {
                case '"' -> put("\\\"");
                case '\\' -> put("\\\\");
                case '\n' -> put("\\n");
                case '\r' -> put("\\r");
                case '\t' -> put("\\t");
                default -> {
                    // lone surrogates cannot be encoded in UTF-8; U+2028/9 end a line in scripts that embed JSON, '<' a
                    // script
                    if (c < 0x20 || c == 0x7F || c == '<' || c == 0x2028 || c == 0x2029 || isLone(s, i)) {
                        put(String.format("\\u%04x", (int) c));
                    } else {
                        put(c);
                    }
                }
            }
        }
        put('"');
    }

    private static boolean isLone(String s, int i) {
        char c = s.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == s.length() || !Character.isLowSurrogate(s.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(s.charAt(i - 1)));
    }

    private void check(boolean ok, String what) {
        if (!ok) {
            throw new InvariantViolation("JSON: " + what + " cannot stand here");
        }
    }

    private void put(char c) {
        try {
            out.append(c);
        } catch (IOException e) {
            throw AtomicFile.unwritable("JSON", e);
        }
    }

    private void put(String s) {
        try {
            out.append(s);
        } catch (IOException e) {
            throw AtomicFile.unwritable("JSON", e);
        }
    }
}
