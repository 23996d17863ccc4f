package dev.clockwire.bench.rpc;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.storage.app.StorageApp;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcMethod;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A configuration file of SPDK: calls, grouped by subsystem. They are made in two rounds, those for the time before the framework is
 * started and the others. Calls of subsystems that are not simulated are passed over, and told of.
 */
public final class ConfigFile {
    private static final int LARGEST = JsonLimits.FILE.bytes();
    /** Subsystems of SPDK whose settings mean nothing here: others than these must be known. */
    private static final List<String> ELSEWHERE = List.of(
            "accel",
            "fsdev",
            "iscsi",
            "keyring",
            "nbd",
            "scsi",
            "sock",
            "ublk",
            "vfio_user",
            "vhost_blk",
            "vhost_scsi",
            "vmd");

    /** Subsystems whose settings are calls here. */
    private static final List<String> HERE = List.of("bdev", "iobuf", "nvmf", "scheduler");

    private final List<Call> calls;
    /** What the file has that nobody knows, and that asks for nothing. */
    private final List<String> empty;

    /** A call and where it stands. */
    private record Call(String where, String subsystem, String method, JsonValue.Obj params) {}

    private ConfigFile(List<Call> calls, List<String> empty) {
        this.calls = calls;
        this.empty = empty;
    }

    /** Returns whether the settings of a subsystem of SPDK are calls here. */
    public static boolean isSimulated(String subsystem) {
        return HERE.contains(subsystem);
    }

    /** Returns whether SPDK has a subsystem whose settings mean nothing here. */
    public static boolean isElsewhere(String subsystem) {
        return ELSEWHERE.contains(subsystem);
    }

    /** Returns the subsystems whose settings are calls here. */
    public static List<String> simulated() {
        return HERE;
    }

    /** Returns a configuration without calls. */
    public static ConfigFile none() {
        return new ConfigFile(List.of(), List.of());
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read
     * @throws ConfigurationException if it is no such file
     */
    public static ConfigFile read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new ConfigurationException(file + ": is a directory");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] all = in.readNBytes(LARGEST + 1); // what is no regular file has no size
            if (all.length > LARGEST) {
                throw new ConfigurationException(file + ": has more than " + LARGEST + " bytes");
            }
            return of(file.toString(), JsonText.parse(all, JsonLimits.FILE));
        } catch (JsonBroken e) {
            throw new ConfigurationException(file + ": " + e.why());
        }
    }

    private static ConfigFile of(String file, JsonValue root) {
        List<Call> calls = new ArrayList<>();
        List<String> empty = new ArrayList<>();
        List<JsonValue> subsystems = list(file, "subsystems", object(file, root).find("subsystems"));
        for (int i = 0; i < subsystems.size(); i++) {
            String where = file + ": subsystems[" + i + "]";
            JsonValue.Obj s = object(where, subsystems.get(i));
            String name = text(where + ".subsystem", s.find("subsystem"));
            JsonValue config = s.find("config");
            boolean none = config == null || config instanceof JsonValue.Null;
            List<JsonValue> entries = none ? List.of() : list(where, "config", config);
            if (entries.isEmpty() && !HERE.contains(name) && !ELSEWHERE.contains(name)) {
                empty.add(where + ": nobody knows a subsystem '" + name + "'" + Nearest.hint(name, HERE));
            }
            for (int k = 0; k < entries.size(); k++) {
                String at = where + ".config[" + k + "]";
                JsonValue.Obj call = object(at, entries.get(k));
                JsonValue params = call.find("params");
                JsonValue.Obj named = params == null || params instanceof JsonValue.Null
                        ? JsonValue.object().done()
                        : object(at + ".params", params);
                calls.add(new Call(at, name, text(at + ".method", call.find("method")), named));
            }
        }
        return new ConfigFile(calls, empty);
    }

    private static JsonValue.Obj object(String where, JsonValue v) {
        if (v instanceof JsonValue.Obj o) {
            Set<String> names = new HashSet<>();
            for (JsonValue.Member m : o.members()) {
                if (!names.add(m.name())) {
                    throw new ConfigurationException(where + ": '" + m.name() + "' stands there twice");
                }
            }
            return o;
        }
        throw new ConfigurationException(where + " is " + v.kind() + ": must be an object");
    }

    private static List<JsonValue> list(String where, String name, @Nullable JsonValue v) {
        if (v instanceof JsonValue.Arr a) {
            return a.values();
        }
        throw new ConfigurationException(
                where + ": '" + name + "' must be an array" + (v == null ? ", it is missing" : ""));
    }

    private static String text(String where, @Nullable JsonValue v) {
        if (v instanceof JsonValue.Text t) {
            return t.value();
        }
        throw new ConfigurationException(where + " must be a string" + (v == null ? ", it is missing" : ""));
    }

    /** Returns the PCI addresses of SSDs that calls attach, as they are written. */
    List<String> ssds() {
        List<String> found = new ArrayList<>();
        for (Call c : calls) {
            if (c.method.equals("bdev_nvme_attach_controller")
                    && c.params.find("trtype") instanceof JsonValue.Text t
                    && t.value().equalsIgnoreCase("PCIe")
                    && c.params.find("traddr") instanceof JsonValue.Text a) {
                found.add(a.value());
            }
        }
        return found;
    }

    /** Returns the IPv4 address of the first listener, empty if there is none. */
    String address() {
        for (Call c : calls) {
            if (c.method.equals("nvmf_subsystem_add_listener")
                    && c.params.find("listen_address") instanceof JsonValue.Obj l
                    && l.find("traddr") instanceof JsonValue.Text a
                    && TargetMachine.isIpv4(a.value())
                    && !a.value().equals("0.0.0.0")) {
                return a.value();
            }
        }
        return "";
    }

    /**
     * Makes the calls for the state that the framework is in.
     *
     * @param remarks takes what was passed over
     * @throws ConfigurationException if one is answered with an error
     */
    void apply(StorageApp app, Consumer<String> remarks) {
        if (!app.isStarted()) {
            empty.forEach(remarks);
        }
        for (Call c : calls) {
            RpcMethod m = app.methods().find(c.method);
            boolean early = m == null || m.when() == RpcMethod.When.STARTUP;
            if (m == null && ELSEWHERE.contains(c.subsystem)) {
                if (!app.isStarted()) {
                    remarks.accept(c.where + ": " + c.method + " has no effect here: subsystem " + c.subsystem
                            + " is not simulated");
                }
            } else if (early != app.isStarted()) {
                make(app, c);
            }
        }
    }

    private static void make(StorageApp app, Call c) {
        if (app.call(c.method, c.params).find("error") instanceof JsonValue.Obj e) {
            String message = e.find("message") instanceof JsonValue.Text t ? t.value() : "";
            String code = e.find("code") instanceof JsonValue.Num n ? n.literal() : "";
            throw new ConfigurationException(c.where + ": " + c.method + ": " + message + " (" + code + ")");
        }
    }
}
