package dev.clockwire.storage.rpc;

import dev.clockwire.sim.export.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A JSON value (RFC 8259). Objects keep the order of their members and, as read, those that stand there twice. */
public sealed interface JsonValue {
    /** Writes the value where a value can stand. */
    void writeTo(JsonWriter out);

    /** Returns what an error calls such a value. */
    String kind();

    /** Returns a string. */
    static JsonValue of(String text) {
        return new Text(text);
    }

    /** Returns a number. */
    static JsonValue of(long number) {
        return new Num(Long.toString(number));
    }

    /** Returns true or false. */
    static JsonValue of(boolean truth) {
        return truth ? Bool.TRUE : Bool.FALSE;
    }

    /** Returns an array. */
    static JsonValue of(List<? extends JsonValue> values) {
        return new Arr(List.copyOf(values));
    }

    /** Returns an array of strings. */
    static JsonValue ofTexts(List<String> texts) {
        return of(texts.stream().map(JsonValue::of).toList());
    }

    /** Returns the text of the value on one line. */
    default String text() {
        StringBuilder b = new StringBuilder();
        writeTo(new JsonWriter(b, false));
        return b.toString();
    }

    /** Returns the text of the value, indented by two spaces. */
    default String indented() {
        StringBuilder b = new StringBuilder();
        writeTo(new JsonWriter(b));
        return b.toString();
    }

    /** Null. */
    record Null() implements JsonValue {
        /** The one there is. */
        public static final JsonValue VALUE = new Null();

        @Override
        public void writeTo(JsonWriter out) {
            out.nullValue();
        }

        @Override
        public String kind() {
            return "null";
        }
    }

    /** True or false. */
    record Bool(boolean value) implements JsonValue {
        /** The value true. */
        public static final JsonValue TRUE = new Bool(true);
        /** The value false. */
        public static final JsonValue FALSE = new Bool(false);

        @Override
        public void writeTo(JsonWriter out) {
            out.value(value);
        }

        @Override
        public String kind() {
            return "a boolean";
        }
    }

    /**
     * A number as it is written, so that nobody computes with what a stranger has made a million digits long.
     *
     * @param literal follows the grammar of JSON
     */
    record Num(String literal) implements JsonValue {
        @Override
        public void writeTo(JsonWriter out) {
            out.number(literal);
        }

        @Override
        public String kind() {
            return "a number";
        }
    }

    /** A string. */
    record Text(String value) implements JsonValue {
        @Override
        public void writeTo(JsonWriter out) {
            out.value(value);
        }

        @Override
        public String kind() {
            return "a string";
        }
    }

    /** An array. */
    record Arr(List<JsonValue> values) implements JsonValue {
        /** Keeps a copy. */
        public Arr {
            values = List.copyOf(values);
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginArray();
            values.forEach(v -> v.writeTo(out));
            out.endArray();
        }

        @Override
        public String kind() {
            return "an array";
        }
    }

    /** A member of an object. */
    record Member(String name, JsonValue value) {}

    /** An object. */
    record Obj(List<Member> members) implements JsonValue {
        /** Keeps a copy. */
        public Obj {
            members = List.copyOf(members);
        }

        /** Returns the first member of a name, null if there is none. */
        public @Nullable JsonValue find(String name) {
            for (Member m : members) {
                if (m.name.equals(name)) {
                    return m.value;
                }
            }
            return null;
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            for (Member m : members) {
                out.name(m.name);
                m.value.writeTo(out);
            }
            out.endObject();
        }

        @Override
        public String kind() {
            return "an object";
        }
    }

    /** Begins an object. */
    static Builder object() {
        return new Builder();
    }

    /** Collects the members of an object. */
    final class Builder {
        private final List<Member> members = new ArrayList<>();

        private Builder() {}

        /** Adds a member. */
        public Builder with(String name, JsonValue value) {
            members.add(new Member(name, value));
            return this;
        }

        /** Adds a member. */
        public Builder with(String name, String value) {
            return with(name, JsonValue.of(value));
        }

        /** Adds a member. */
        public Builder with(String name, long value) {
            return with(name, JsonValue.of(value));
        }

        /** Adds a member. */
        public Builder with(String name, boolean value) {
            return with(name, JsonValue.of(value));
        }

        /** Adds a member. */
        public Builder with(String name, List<? extends JsonValue> values) {
            return with(name, JsonValue.of(values));
        }

        /** Returns the object. */
        public Obj done() {
            return new Obj(members);
        }
    }
}
