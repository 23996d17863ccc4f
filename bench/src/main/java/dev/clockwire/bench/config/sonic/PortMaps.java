package dev.clockwire.bench.config.sonic;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An entry of PORT_QOS_MAP: which maps a port uses, and which priorities have PFC. A traffic class is a priority of the simulation. */
final class PortMaps {
    static final int CODE_POINTS = 64;

    /** Fields that name a map. */
    private static final Map<String, String> MAPS = new TreeMap<>(Map.of(
            "dscp_to_tc_map", "DSCP_TO_TC_MAP",
            "dot1p_to_tc_map", "DOT1P_TO_TC_MAP",
            "tc_to_queue_map", "TC_TO_QUEUE_MAP",
            "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP",
            "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE",
            "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"));

    private static final List<String> OTHERS =
            List.of("pfc_enable", "pfcwd_sw_enable", "scheduler", "tc_to_dscp_map", "tc_to_dot1p_map", "pfc_asym");

    private final SonicReader reader;
    private final ImportLog log;
    private final DeviceConfig device;
    private final PortConfig port;

    PortMaps(SonicReader reader, DeviceConfig device, PortConfig port) {
        this.reader = reader;
        this.log = reader.log;
        this.device = device;
        this.port = port;
    }

    void read(JsonPlace entry) {
        entry.fields().keySet().forEach(field -> {
            if (!MAPS.containsKey(field) && !OTHERS.contains(field)) {
                log.unknownWord(Rule.NO_SUCH_OPTION, "field of PORT_QOS_MAP", field, MAPS.keySet());
            }
        });
        String dscp = entry.get("dscp_to_tc_map", "");
        String pcp = entry.get("dot1p_to_tc_map", "");
        if (!dscp.isEmpty()) {
            port.set(PortKey.TRUST, 2, reader.where(entry, "dscp_to_tc_map"));
            map(entry, "dscp_to_tc_map", CODE_POINTS).forEach((d, tc) -> port.mapDscp(d, tc, log.where()));
        } else if (!pcp.isEmpty()) {
            port.set(PortKey.TRUST, 1, reader.where(entry, "dot1p_to_tc_map"));
        }
        if (!pcp.isEmpty()) {
            map(entry, "dot1p_to_tc_map", PortConfig.CLASSES).forEach((p, tc) -> port.mapPcp(p, tc, log.where()));
        }
        Map<Integer, Integer> queues = entry.get("tc_to_queue_map", "").isEmpty()
                ? Map.of()
                : map(entry, "tc_to_queue_map", PortConfig.CLASSES);
        queues.forEach((tc, queue) -> port.set(ClassKey.TC, tc, queue, log.where()));
        Map<Integer, Integer> groups =
                entry.get("tc_to_pg_map", "").isEmpty() ? Map.of() : map(entry, "tc_to_pg_map", PortConfig.CLASSES);
        groups.forEach((tc, group) -> port.set(ClassKey.RECEIVE, tc, group, log.where()));
        pfc(entry, queues);
    }

    private Map<Integer, Integer> map(JsonPlace entry, String field, int keys) {
        String table = MAPS.getOrDefault(field, "");
        String text = entry.get(field, "");
        JsonPlace found = table.equals("MAP_PFC_PRIORITY_TO_QUEUE")
                        && !reader.table("PFC_PRIORITY_TO_QUEUE_MAP").isEmpty()
                ? reader.named("PFC_PRIORITY_TO_QUEUE_MAP", text, entry, field)
                : reader.named(table, text, entry, field);
        return reader.pairs(found, table, keys, PortConfig.CLASSES);
    }

    private void pfc(JsonPlace entry, Map<Integer, Integer> queues) {
        String list = entry.get("pfc_enable", "");
        String where = reader.where(entry, "pfc_enable");
        if (list.isEmpty()) {
            log.effect("maps of " + (port.name().isEmpty() ? "all ports" : port.name()) + "; no PFC");
            return;
        }
        int bits = 0;
        for (String part : list.split(",", -1)) {
            if (!part.strip().matches("[0-7]")) {
                log.bad("pfc_enable", list, "priorities 0 to 7, as in 3,4");
                return;
            }
            bits |= 1 << Integer.parseInt(part.strip());
        }
        Map<Integer, Integer> toQueue = entry.get("pfc_to_queue_map", "").isEmpty()
                ? Map.of()
                : map(entry, "pfc_to_queue_map", PortConfig.CLASSES);
        int lossless = 0;
        for (int tc = 0; tc < PortConfig.CLASSES; tc++) {
            for (int p = 0; p < PortConfig.CLASSES; p++) {
                boolean sameQueue = toQueue.getOrDefault(p, p).equals(queues.getOrDefault(tc, tc));
                lossless |= (bits >> p & 1) != 0 && sameQueue ? 1 << tc : 0;
            }
        }
        for (int tc = 0; tc < PortConfig.CLASSES; tc++) {
            port.set(ClassKey.LOSSLESS, tc, lossless >> tc & 1, where);
        }
        port.set(PortKey.PFC_MODE, 1, where);
        log.effect("PFC on priorities " + list + " of " + (port.name().isEmpty() ? device.name() : port.name())
                + " (switches.pfc.classes)");
    }
}
