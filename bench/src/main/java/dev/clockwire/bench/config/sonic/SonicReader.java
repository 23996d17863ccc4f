package dev.clockwire.bench.config.sonic;

import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a config_db.json: a document of tables, a table of objects by key. Tables name each other, plainly or as {@code [TABLE|key]}.
 * Sources: SONiC's Configuration.md and its YANG models.
 */
public final class SonicReader {
    static final String FORMAT = "sonic";

    /** Tables that are read, in the order in which they are. */
    private static final List<String> TABLES = List.of(
            "DEVICE_METADATA",
            "PORT",
            "CABLE_LENGTH",
            "DEVICE_NEIGHBOR",
            "DSCP_TO_TC_MAP",
            "DOT1P_TO_TC_MAP",
            "TC_TO_QUEUE_MAP",
            "TC_TO_PRIORITY_GROUP_MAP",
            "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
            "PFC_PRIORITY_TO_QUEUE_MAP",
            "MAP_PFC_PRIORITY_TO_QUEUE",
            "WRED_PROFILE",
            "SCHEDULER",
            "BUFFER_POOL",
            "BUFFER_PROFILE",
            "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
            "LOSSLESS_TRAFFIC_PATTERN",
            "PORT_QOS_MAP",
            "BUFFER_PG",
            "QUEUE",
            "BUFFER_QUEUE",
            "BUFFER_PORT_INGRESS_PROFILE_LIST",
            "BUFFER_PORT_EGRESS_PROFILE_LIST",
            "PFC_WD");

    private static final Pattern REFERENCE = Pattern.compile("\\[?(?:[A-Z_]+\\|)?([^\\]|\\[]+)\\]?");
    private static final int LONGEST_TEXT = 120;
    private static final double MBPS = 1000.0;
    private static final int MOST_METRES = 100_000;

    final ImportLog log;
    private final String file;
    private final String deviceName;
    private final JsonPlace root;

    private SonicReader(String file, String deviceName, JsonPlace root, ImportLog log) {
        this.file = file;
        this.deviceName = deviceName;
        this.root = root;
        this.log = log;
    }

    /**
     * Reads a document.
     *
     * @param deviceName name of the switch until it says its own
     * @throws dev.clockwire.sim.error.ConfigurationException if it is no JSON
     */
    public static DeviceConfig read(String file, String deviceName, String text, ImportLog log) {
        return new SonicReader(file, deviceName, JsonPlace.parse(file, text), log).device();
    }

    private DeviceConfig device() {
        begin(root.line(), "{");
        DeviceConfig device = new DeviceConfig(DeviceConfig.Kind.SONIC, deviceName, log.where());
        root.fields().forEach((name, table) -> {
            if (!TABLES.contains(name)) {
                log.unknown(file, table.line(), "\"" + shortened(name) + "\"");
            }
        });
        TableShapes shapes = new TableShapes(file, log);
        for (String name : TABLES) {
            JsonPlace table = root.fields().get(name);
            if (table != null && shapes.isObject(name, table)) {
                table.fields().forEach((key, entry) -> {
                    begin(entry.line(), name + "|" + shortened(key));
                    if (shapes.isObject(name + "|" + shortened(key), entry)) {
                        shapes.fields(name, key, entry);
                        entry(device, name, key, entry);
                    }
                });
            }
        }
        new Profiles(this).unused(device);
        return device;
    }

    void begin(int line, String text) {
        log.begin(file, line, text, FORMAT);
    }

    static String shortened(String text) {
        return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text;
    }

    /** Returns where an entry is. */
    String where(JsonPlace place, String field) {
        return file + ":" + place.lineOf(field);
    }

    Map<String, JsonPlace> table(String name) {
        JsonPlace table = root.fields().get(name);
        return table == null ? Map.of() : table.fields();
    }

    /** Returns the object that a text of an entry names; an empty one, and a finding, if it is not there. */
    JsonPlace named(String table, String text, JsonPlace from, String field) {
        Matcher m = REFERENCE.matcher(text.strip());
        String name = m.matches() ? m.group(1) : text;
        JsonPlace found = table(table).get(name);
        if (found == null) {
            log.finding(
                    Rule.SONIC_UNKNOWN_REFERENCE,
                    Rule.SONIC_UNKNOWN_REFERENCE.severity(),
                    where(from, field),
                    0,
                    field + " names " + shortened(name) + ", which is not in " + table
                            + dev.clockwire.sim.error.Nearest.hint(
                                    name, table(table).keySet()),
                    "an entry " + shortened(name) + " in " + table + ", or one that is there");
            return new JsonPlace(from.line(), null, Map.of(), true);
        }
        return found;
    }

    private void entry(DeviceConfig device, String table, String key, JsonPlace entry) {
        switch (table) {
            case "DEVICE_METADATA" -> metadata(device, entry);
            case "PORT" -> port(device, key, entry);
            case "CABLE_LENGTH" -> cables(device, entry);
            case "DEVICE_NEIGHBOR" -> neighbour(device, key, entry);
            case "PORT_QOS_MAP" -> ports(device, key).forEach(p -> new PortMaps(this, device, p).read(entry));
            case "BUFFER_POOL" -> new Profiles(this).pool(device, key, entry);
            case "BUFFER_PG" -> new Profiles(this).group(device, key, entry);
            case "QUEUE" -> new Profiles(this).queue(device, key, entry);
            case "PFC_WD" -> watchdog(device, key, entry);
            case "BUFFER_QUEUE", "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST" ->
                log.effect(
                        "where frames leave, and where they have no priority group, the simulated buffer has bounds of its own");
            default -> {
                int keys = table.startsWith("DSCP_") ? PortMaps.CODE_POINTS : PortConfig.CLASSES;
                if (table.endsWith("_MAP") || table.startsWith("MAP_")) {
                    pairs(entry, table, keys, PortConfig.CLASSES); // also if no port names it
                }
                log.effect("used by the ports that name it");
            }
        }
    }

    private void metadata(DeviceConfig device, JsonPlace entry) {
        String name = entry.get("hostname", "");
        if (!name.isEmpty()) {
            device.rename(name);
        }
        log.effect(name.isEmpty() ? "says nothing of priorities" : "the switch is called " + name);
    }

    private void port(DeviceConfig device, String key, JsonPlace entry) {
        PortConfig port = device.port(key, file + ":" + entry.line());
        long speed = number(entry, "speed", 1, 1_600_000, 0);
        if (speed > 0) {
            port.set(PortKey.GBPS, speed / MBPS, where(entry, "speed"));
        }
        long mtu = number(entry, "mtu", 68, 9216, 0);
        if (mtu > 0) {
            port.set(PortKey.MTU, mtu, where(entry, "mtu"));
        }
        log.effect("port" + (speed > 0 ? " of " + speed / MBPS + " Gb/s" : "")
                + (mtu > 0 ? ", packets of up to " + mtu + " B" : ""));
    }

    private void cables(DeviceConfig device, JsonPlace entry) {
        entry.fields().forEach((name, length) -> {
            String text = length.text() == null ? "" : length.text();
            begin(length.line(), name + " " + text);
            if (!text.matches("\\d{1,6}m") || Integer.parseInt(text.replace("m", "")) > MOST_METRES) {
                log.bad("cable length", text, "metres, as in 40m");
                return;
            }
            device.port(name, log.where()).set(PortKey.CABLE, Integer.parseInt(text.replace("m", "")), log.where());
            log.effect("cable of " + text);
        });
    }

    private void neighbour(DeviceConfig device, String key, JsonPlace entry) {
        String node = entry.get("name", "");
        device.port(key, file + ":" + entry.line()).joinedTo(node);
        log.effect("the port leads to " + node);
    }

    private void watchdog(DeviceConfig device, String key, JsonPlace entry) {
        List<PortConfig> ports = key.equals("GLOBAL") ? List.of(device.all()) : ports(device, key);
        long detect = number(entry, "detection_time", 100, 5000, 0);
        long restore = number(entry, "restoration_time", 100, 60_000, 0);
        String action = entry.get("action", "");
        if (!List.of("", "drop", "forward", "alert").contains(action)) {
            log.bad("action", action, "drop, forward or alert");
            return;
        }
        for (PortConfig port : ports) {
            if (detect > 0 && !action.equals("alert")) {
                port.set(PortKey.DETECT_MS, detect, where(entry, "detection_time"));
            }
            if (restore > 0) {
                port.set(PortKey.RESTORE_MS, restore, where(entry, "restoration_time"));
            }
            if (!action.isEmpty()) {
                port.set(PortKey.STORM_DROP, action.equals("forward") ? 0 : 1, where(entry, "action"));
            }
        }
        log.effect(
                detect > 0
                        ? "watchdog after " + detect + " ms (switches.watchdog)"
                        : "how often the watchdog looks; not simulated");
    }

    /** Returns a number of an entry, the default if it is not there; a finding and the default if it is out of range. */
    long number(JsonPlace entry, String field, long least, long most, long otherwise) {
        String text = entry.get(field, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.matches("-?\\d{1,15}") || Long.parseLong(text) < least || Long.parseLong(text) > most) {
            log.finding(
                    Rule.BAD_VALUE,
                    Rule.BAD_VALUE.severity(),
                    where(entry, field),
                    text.matches("-?\\d{1,15}") ? Long.parseLong(text) : 0,
                    field + " '" + shortened(text) + "' is not " + least + " to " + most,
                    field + " from " + least + " to " + most);
            return otherwise;
        }
        return Long.parseLong(text);
    }

    /** Returns the ports of {@code Ethernet0}, {@code Ethernet0,Ethernet4} or {@code global}. */
    List<PortConfig> ports(DeviceConfig device, String key) {
        if (key.equals("global")) {
            return List.of(device.all());
        }
        List<PortConfig> found = new ArrayList<>();
        for (String name : key.split(",", -1)) {
            found.add(device.port(name.strip(), log.where()));
        }
        return found;
    }

    /** Returns the pairs of a map of numbers below bounds; a finding for each that is none. */
    Map<Integer, Integer> pairs(JsonPlace map, String table, int keys, int values) {
        Map<Integer, Integer> found = new TreeMap<>();
        map.fields().forEach((key, value) -> {
            String text = value.text() == null ? "" : value.text();
            if (key.matches("\\d{1,2}")
                    && text.matches("\\d{1,2}")
                    && Integer.parseInt(key) < keys
                    && Integer.parseInt(text) < values) {
                found.put(Integer.parseInt(key), Integer.parseInt(text));
            } else {
                log.finding(
                        Rule.BAD_VALUE,
                        Rule.BAD_VALUE.severity(),
                        file + ":" + value.line(),
                        key.matches("\\d{1,9}") ? Long.parseLong(key) : 0,
                        table + ": '" + shortened(key) + "': '" + shortened(text) + "' is not 0 to " + (keys - 1)
                                + ": 0 to " + (values - 1),
                        "\"0\" to \"" + (keys - 1) + "\": \"0\" to \"" + (values - 1) + "\"");
            }
        });
        return found;
    }
}
