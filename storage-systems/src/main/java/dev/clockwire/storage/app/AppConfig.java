package dev.clockwire.storage.app;

import dev.clockwire.storage.rpc.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What was configured, as the calls that would do it again: in the order of SPDK's configuration files. */
final class AppConfig {
    private final List<Entry> entries = new ArrayList<>();
    private final TreeMap<String, Supplier<List<JsonValue>>> live = new TreeMap<>();

    /** A call, and what it made or set. */
    private record Entry(String subsystem, String thing, String method, JsonValue.Obj params) {}

    /** Notes a call. An earlier one about the same thing is forgotten. */
    void put(String subsystem, String thing, String method, JsonValue.Obj params) {
        remove(subsystem, thing);
        entries.add(new Entry(subsystem, thing, method, params));
    }

    /** Forgets what was said about a thing. */
    void remove(String subsystem, String thing) {
        entries.removeIf(e -> e.subsystem.equals(subsystem) && e.thing.equals(thing));
    }

    /** Returns what was given about a thing, an empty object if nothing was. */
    JsonValue.Obj given(String subsystem, String thing) {
        for (Entry e : entries) {
            if (e.subsystem.equals(subsystem) && e.thing.equals(thing)) {
                return e.params;
            }
        }
        return JsonValue.object().done();
    }

    /** Asks somebody for further calls of a subsystem, which stand behind the others. */
    void live(String subsystem, Supplier<List<JsonValue>> calls) {
        live.put(subsystem, calls);
    }

    /** Returns the calls of a subsystem. */
    List<JsonValue> calls(String subsystem) {
        List<JsonValue> calls = new ArrayList<>();
        for (Entry e : entries) {
            if (e.subsystem.equals(subsystem)) {
                calls.add(call(e.method, e.params));
            }
        }
        Supplier<List<JsonValue>> further = live.get(subsystem);
        if (further != null) {
            calls.addAll(further.get());
        }
        return calls;
    }

    /** Returns a call as it stands in a configuration file. */
    static JsonValue.Obj call(String method, JsonValue.Obj params) {
        return JsonValue.object().with("method", method).with("params", params).done();
    }
}
