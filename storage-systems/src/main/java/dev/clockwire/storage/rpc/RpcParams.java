package dev.clockwire.storage.rpc;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.error.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The parameters of a call, or the members of one of them, checked against what the method knows. */
public final class RpcParams {
    private static final int LONGEST_QUOTE = 64;

    private final List<RpcParam> known;
    private final JsonValue.Obj given;

    private RpcParams(List<RpcParam> known, JsonValue.Obj given) {
        this.known = known;
        this.given = given;
    }

    /**
     * Checks everything that was given.
     *
     * @throws RpcException {@link RpcError#INVALID_PARAMS} that names the parameter
     */
    static RpcParams check(List<RpcParam> known, JsonValue.Obj given) {
        checkObject("", known, given);
        return new RpcParams(known, given);
    }

    private static void checkObject(String prefix, List<RpcParam> known, JsonValue.Obj given) {
        List<String> seen = new ArrayList<>();
        for (JsonValue.Member m : given.members()) {
            RpcParam p = find(known, m.name());
            if (p == null) {
                String name = m.name().length() > LONGEST_QUOTE ? m.name().substring(0, LONGEST_QUOTE) : m.name();
                throw RpcException.invalid("unknown parameter '" + prefix + name + "'"
                        + Nearest.hint(name, known.stream().map(RpcParam::name).toList()));
            }
            if (seen.contains(m.name())) {
                throw RpcException.invalid("parameter '" + prefix + m.name() + "' is given twice");
            }
            seen.add(m.name());
            checkValue(prefix + m.name(), p, m.value());
        }
        for (RpcParam p : known) {
            if (p.required() && !seen.contains(p.name())) {
                throw RpcException.invalid("parameter '" + prefix + p.name() + "' is missing");
            }
        }
    }

    private static @Nullable RpcParam find(List<RpcParam> known, String name) {
        for (RpcParam p : known) {
            if (p.name().equals(name)) {
                return p;
            }
        }
        return null;
    }

    private static void checkValue(String name, RpcParam p, JsonValue v) {
        switch (p.kind()) {
            case TEXT -> checkText(name, p, v);
            case INTEGER -> checkInteger(name, p, v);
            case FLAG -> require(v instanceof JsonValue.Bool, name, "true or false", v);
            case OBJECT -> {
                require(v instanceof JsonValue.Obj, name, "an object", v);
                checkObject(name + ".", p.members(), (JsonValue.Obj) v);
            }
            case LIST -> checkList(name, p, v);
        }
    }

    private static void checkList(String name, RpcParam p, JsonValue v) {
        require(v instanceof JsonValue.Arr, name, "an array", v);
        List<JsonValue> values = ((JsonValue.Arr) v).values();
        if (values.size() > p.most()) {
            throw RpcException.invalid(
                    "parameter '" + name + "' has " + values.size() + " elements: must be at most " + p.most());
        }
        for (int i = 0; i < values.size(); i++) {
            checkValue(name + "[" + i + "]", p.members().get(0), values.get(i));
        }
    }

    private static void checkText(String name, RpcParam p, JsonValue v) {
        require(v instanceof JsonValue.Text, name, "a string", v);
        String text = ((JsonValue.Text) v).value();
        if (text.length() < p.least() || text.length() > p.most()) {
            throw RpcException.invalid("parameter '" + name + "' has " + text.length() + " characters: must be "
                    + p.least() + " to " + p.most());
        }
        if (!p.choices().isEmpty() && p.choices().stream().noneMatch(text::equalsIgnoreCase)) {
            throw RpcException.invalid("parameter '" + name + "' is '"
                    + text.substring(0, Math.min(text.length(), LONGEST_QUOTE)) + "': must be one of "
                    + String.join(", ", p.choices()));
        }
    }

    private static void checkInteger(String name, RpcParam p, JsonValue v) {
        require(v instanceof JsonValue.Num, name, "a number", v);
        String literal = ((JsonValue.Num) v).literal();
        Long x = JsonNumbers.whole(literal);
        if (x == null || x < p.least() || x > p.most()) {
            String shown = literal.length() > LONGEST_QUOTE ? literal.substring(0, LONGEST_QUOTE) + "..." : literal;
            throw RpcException.invalid("parameter '" + name + "' is " + shown + ": must be a whole number, " + p.least()
                    + " to " + p.most());
        }
    }

    private static void require(boolean ok, String name, String what, JsonValue found) {
        if (!ok) {
            throw RpcException.invalid("parameter '" + name + "' is " + found.kind() + ": must be " + what);
        }
    }

    private @Nullable JsonValue value(String name, RpcParam.Kind kind) {
        RpcParam p = find(known, name);
        if (p == null || p.kind() != kind) {
            throw new InvariantViolation("parameter '" + name + "' is not declared as " + kind);
        }
        return given.find(name);
    }

    private static <T> T there(@Nullable T value, String name) {
        if (value == null) {
            throw RpcException.invalid("parameter '" + name + "' is missing");
        }
        return value;
    }

    /** Returns whether a parameter is there. */
    public boolean has(String name) {
        return given.find(name) != null;
    }

    /** Returns a text that must be there. */
    public String text(String name) {
        return there(find(name), name);
    }

    /** Returns a text, or what it is if it is not there. */
    public String text(String name, String otherwise) {
        String found = find(name);
        return found == null ? otherwise : found;
    }

    /** Returns a text, null if it is not there. */
    public @Nullable String find(String name) {
        return value(name, RpcParam.Kind.TEXT) instanceof JsonValue.Text t ? t.value() : null;
    }

    /** Returns a choice in lower case, or what it is if it is not there. */
    public String choice(String name, String otherwise) {
        return text(name, otherwise).toLowerCase(Locale.ROOT);
    }

    /** Returns a number that must be there. */
    public long integer(String name) {
        there(given.find(name), name);
        return integer(name, 0);
    }

    /** Returns a number, or what it is if it is not there. */
    public long integer(String name, long otherwise) {
        Long x = value(name, RpcParam.Kind.INTEGER) instanceof JsonValue.Num n ? JsonNumbers.whole(n.literal()) : null;
        return x == null ? otherwise : x;
    }

    /** Returns a number of 31 bits, or what it is if it is not there. */
    public int count(String name, int otherwise) {
        return (int) integer(name, otherwise);
    }

    /** Returns a boolean, or what it is if it is not there. */
    public boolean flag(String name, boolean otherwise) {
        return value(name, RpcParam.Kind.FLAG) instanceof JsonValue.Bool b ? b.value() : otherwise;
    }

    /** Returns an object that must be there. */
    public RpcParams object(String name) {
        RpcParam p = find(known, name);
        if (value(name, RpcParam.Kind.OBJECT) instanceof JsonValue.Obj o && p != null) {
            return new RpcParams(p.members(), o);
        }
        throw RpcException.invalid("parameter '" + name + "' is missing");
    }

    /** Returns a list of texts, empty if it is not there. */
    public List<String> texts(String name) {
        List<String> all = new ArrayList<>();
        if (value(name, RpcParam.Kind.LIST) instanceof JsonValue.Arr a) {
            for (JsonValue v : a.values()) {
                if (v instanceof JsonValue.Text t) {
                    all.add(t.value());
                }
            }
        }
        return all;
    }

    /** Returns all of it as it was given. */
    public JsonValue.Obj given() {
        return given;
    }
}
