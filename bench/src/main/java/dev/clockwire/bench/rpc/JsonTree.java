package dev.clockwire.bench.rpc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.clockwire.storage.rpc.JsonValue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds one value out of its tokens, without recursion. */
final class JsonTree {
    private final int most;
    private final ArrayDeque<Open> open = new ArrayDeque<>();
    private int count;
    private @Nullable JsonValue whole;

    /** An object or array whose end has not come. */
    private static final class Open {
        final boolean isArray;
        final List<JsonValue> values = new ArrayList<>();
        final List<JsonValue.Member> members = new ArrayList<>();
        String name = "";

        Open(boolean isArray) {
            this.isArray = isArray;
        }
    }

    JsonTree(int most) {
        this.most = most;
    }

    /** Takes a token; returns what is wrong with it, empty if nothing is. */
    String add(JsonToken token, JsonParser parser) throws IOException {
        if (++count > most) {
            return "a value of more than " + most + " parts";
        }
        switch (token) {
            case START_OBJECT -> open.push(new Open(false));
            case START_ARRAY -> open.push(new Open(true));
            case FIELD_NAME -> {
                String name = parser.currentName();
                if (isTorn(name)) {
                    return "half of a surrogate pair";
                }
                open.element().name = name;
            }
            case END_OBJECT -> value(new JsonValue.Obj(open.pop().members));
            case END_ARRAY -> value(new JsonValue.Arr(open.pop().values));
            case VALUE_STRING -> {
                if (isTorn(parser.getText())) {
                    return "half of a surrogate pair";
                }
                value(JsonValue.of(parser.getText()));
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> value(new JsonValue.Num(parser.getText()));
            case VALUE_TRUE -> value(JsonValue.Bool.TRUE);
            case VALUE_FALSE -> value(JsonValue.Bool.FALSE);
            case VALUE_NULL -> value(JsonValue.Null.VALUE);
            default -> {
                return "a " + token;
            }
        }
        return "";
    }

    private void value(JsonValue v) {
        Open in = open.peek();
        if (in == null) {
            whole = v;
        } else if (in.isArray) {
            in.values.add(v);
        } else {
            in.members.add(new JsonValue.Member(in.name, v));
        }
    }

    private static boolean isTorn(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < s.length() && Character.isLowSurrogate(s.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return true;
            }
        }
        return false;
    }

    boolean hasBegun() {
        return count > 0;
    }

    /** Returns the value once it is complete. */
    @Nullable
    JsonValue whole() {
        return whole;
    }
}
