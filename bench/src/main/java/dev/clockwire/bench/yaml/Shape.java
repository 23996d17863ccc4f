package dev.clockwire.bench.yaml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of a mapping, what may stand behind each, and which of them have to be there. */
public final class Shape {
    private static final Shape EMPTY = new Shape(Map.of(), List.of(), null);

    private final Map<String, Key> keys;
    private final List<Set<String>> ones;
    private final @Nullable Kind others;

    private Shape(Map<String, Key> keys, List<Set<String>> ones, @Nullable Kind others) {
        this.keys = Collections.unmodifiableMap(keys);
        this.ones = List.copyOf(ones);
        this.others = others;
    }

    /**
     * A key.
     *
     * @param kind of its value
     * @param required whether it has to be there
     * @param meaning for people
     */
    record Key(Kind kind, boolean required, String meaning) {}

    /** Returns a mapping without keys. */
    public static Shape of() {
        return EMPTY;
    }

    /** Returns a copy with one more key. */
    public Shape key(String name, Kind kind, String meaning) {
        return with(name, new Key(kind, false, meaning));
    }

    /** Returns a copy with one more key that has to be there. */
    public Shape required(String name, Kind kind, String meaning) {
        return with(name, new Key(kind, true, meaning));
    }

    /** Returns a copy of which exactly one of some keys has to be there. */
    public Shape one(List<String> of) {
        List<Set<String>> more = new ArrayList<>(ones);
        more.add(Collections.unmodifiableSet(new LinkedHashSet<>(of)));
        return new Shape(keys, more, others);
    }

    /** Returns a copy that has keys of any other name too, which the reader looks at itself. */
    public Shape others(Kind kind) {
        return new Shape(keys, ones, kind);
    }

    private Shape with(String name, Key key) {
        Map<String, Key> more = new LinkedHashMap<>(keys);
        if (more.put(name, key) != null) {
            throw new IllegalArgumentException("key " + name + " is described twice");
        }
        return new Shape(more, ones, others);
    }

    /** Returns the names of the keys in the order described. */
    public List<String> names() {
        return List.copyOf(keys.keySet());
    }

    /** Returns what stands behind a key, null if nobody knows. */
    @Nullable
    Kind kind(String name) {
        Key key = keys.get(name);
        return key == null ? others : key.kind();
    }

    Map<String, Key> keys() {
        return keys;
    }

    List<Set<String>> ones() {
        return ones;
    }

    @Nullable
    Kind others() {
        return others;
    }
}
