package dev.clockwire.bench.config.spdk;

import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.rpc.ConfigFile;
import dev.clockwire.bench.rpc.JsonBroken;
import dev.clockwire.bench.rpc.JsonText;
import dev.clockwire.bench.yaml.PlacedJson;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.rpc.JsonValue;
import java.util.List;

/** Reads a configuration file as {@code save_config} writes it: subsystems with calls. */
public final class SpdkReader {
    private static final String FORMAT = "spdk";

    private final String file;
    private final ImportLog log;
    private final SpdkCalls calls;

    private SpdkReader(String file, ImportLog log) {
        this.file = file;
        this.log = log;
        calls = new SpdkCalls(log);
    }

    /** Returns whether a document is one of SPDK's: an object with a list of subsystems. */
    public static boolean knows(PlacedJson root) {
        return root.isObject() && root.parts().containsKey("subsystems");
    }

    /**
     * Reads a document.
     *
     * @throws ConfigurationException with file and place if it has another form
     */
    public static void read(String file, String text, PlacedJson root, ImportLog log) {
        SpdkReader reader = new SpdkReader(file, log);
        JsonValue whole;
        try {
            whole = JsonText.parseFile(text);
        } catch (JsonBroken e) {
            throw new ConfigurationException(file + ": " + e.getMessage());
        }
        List<PlacedJson> subsystems = root.need("subsystems").elements();
        List<JsonValue> values = list(whole, "subsystems");
        for (int i = 0; i < subsystems.size(); i++) {
            reader.subsystem(subsystems.get(i), values.get(i));
        }
    }

    private static List<JsonValue> list(JsonValue of, String name) {
        return of instanceof JsonValue.Obj o && o.find(name) instanceof JsonValue.Arr a ? a.values() : List.of();
    }

    private void subsystem(PlacedJson place, JsonValue value) {
        String name = place.need("subsystem").text();
        log.begin(file, place.line(), "subsystem " + name, FORMAT);
        List<JsonValue> config = list(value, "config");
        boolean known = ConfigFile.isSimulated(name);
        if (!known && !ConfigFile.isElsewhere(name)) {
            log.unknownWord(Rule.NO_SUCH_OPTION, "subsystem", name, ConfigFile.simulated());
            return;
        }
        if (config.isEmpty()) {
            log.effect("nothing is set");
            return;
        }
        List<PlacedJson> places = place.need("config").elements();
        for (int k = 0; k < places.size(); k++) {
            String method = places.get(k).need("method").text();
            log.begin(file, places.get(k).line(), method, FORMAT);
            if (known) {
                JsonValue params = config.get(k) instanceof JsonValue.Obj o ? o.find("params") : null;
                calls.judge(
                        method,
                        params instanceof JsonValue.Obj o
                                ? o
                                : JsonValue.object().done());
            } else {
                calls.passOver("subsystem " + name + " is not simulated");
            }
        }
    }
}
