package dev.clockwire.bench.config.sonic;

import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What tables, entries and fields of a config_db.json look like: what does not is a finding, or listed as unknown, and never read. Source:
 * SONiC's YANG models (sonic-port, -buffer-pool, -buffer-profile, -buffer-pg, -queue, -scheduler, -wred-profile, -pfcwd).
 */
final class TableShapes {
    /** Fields of entries, by table; other tables that are read have entries whose fields are names or numbers of the user's own. */
    private static final Map<String, List<String>> FIELDS = new TreeMap<>(Map.ofEntries(
            fields(
                    "PORT",
                    "speed mtu alias lanes index fec autoneg admin_status description tpid pfc_asym role subport"
                            + " adv_speeds adv_interface_types interface_type mode link_training media_type mux_cable"
                            + " asic_port_name core_id core_port_id num_voq parent_port macsec tx_power laser_freq dhcp_rate_limit"
                            + " dom_polling coreid coreportid numvoq"),
            fields("DEVICE_NEIGHBOR", "name port"),
            fields("SCHEDULER", "type weight priority meter_type cir cbs pir pbs"),
            fields(
                    "WRED_PROFILE",
                    "ecn wred_green_enable wred_yellow_enable wred_red_enable green_min_threshold green_max_threshold"
                            + " green_drop_probability yellow_min_threshold yellow_max_threshold"
                            + " yellow_drop_probability red_min_threshold red_max_threshold red_drop_probability"),
            fields("BUFFER_POOL", "type mode size xoff percentage"),
            fields("BUFFER_PROFILE", "pool size xon xon_offset xoff dynamic_th static_th packet_discard_action"),
            fields("BUFFER_PG", "profile pg_num"),
            fields("QUEUE", "scheduler wred_profile"),
            fields("BUFFER_QUEUE", "profile"),
            fields("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list"),
            fields("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list"),
            fields("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "default_dynamic_th over_subscribe_ratio max_headroom_size"),
            fields("LOSSLESS_TRAFFIC_PATTERN", "mtu small_packet_percentage"),
            fields("PFC_WD", "action detection_time restoration_time POLL_INTERVAL BIG_RED_SWITCH pfc_stat_history")));

    private final String file;
    private final ImportLog log;

    TableShapes(String file, ImportLog log) {
        this.file = file;
        this.log = log;
    }

    private static Map.Entry<String, List<String>> fields(String table, String names) {
        return Map.entry(table, List.of(names.split(" ", -1)));
    }

    /** Whether a table, or an entry of one, is an object; a finding if it is not. */
    boolean isObject(String path, JsonPlace place) {
        if (place.isObject()) {
            return true;
        }
        String found = place.text() == null ? "a list" : "'" + SonicReader.shortened(place.text()) + "'";
        bad(place, path + " is " + found + ", not an object", "\"" + path + "\": {...}");
        return false;
    }

    /** Looks at the fields of an entry: those that nobody knows are listed, those that are no single value are findings. */
    void fields(String table, String key, JsonPlace entry) {
        List<String> known = FIELDS.get(table);
        entry.fields().forEach((name, value) -> {
            String path = table + "|" + SonicReader.shortened(key) + "|" + SonicReader.shortened(name);
            if (known != null && !known.contains(name)) {
                log.unknown(file, value.line(), "\"" + path + "\"");
                misspelt(table, name, value, known);
            } else if (known != null && value.text() == null) {
                bad(value, path + " is no single value", "\"" + name + "\": \"...\"");
            }
        });
    }

    private void misspelt(String table, String name, JsonPlace value, List<String> known) {
        String hint = Nearest.hint(name, known);
        if (name.length() > 2 && hint.contains("did you mean")) {
            log.finding(
                    Rule.NO_SUCH_OPTION,
                    Rule.NO_SUCH_OPTION.severity(),
                    file + ":" + value.line(),
                    0,
                    "there is no field of " + table + " '" + SonicReader.shortened(name) + "'" + hint,
                    "one of " + String.join(", ", known));
        }
    }

    private void bad(JsonPlace place, String message, String cure) {
        log.finding(Rule.BAD_VALUE, Rule.BAD_VALUE.severity(), file + ":" + place.line(), 0, message, cure);
    }
}
