package dev.clockwire.bench.pcap;

import dev.clockwire.roce.cm.CmMessage;
import dev.clockwire.roce.cm.CmPath;
import dev.clockwire.roce.cm.CmReason;
import dev.clockwire.roce.cm.CmRej;
import dev.clockwire.roce.cm.CmReq;
import dev.clockwire.roce.cm.IpCmHeader;
import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.sim.error.InvariantViolation;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A message of the connection manager, field by field under the names of {@link CmMessage}'s records; ids, numbers of queue pairs,
 * PSNs, keys and labels as hexadecimal text. Paths and private data that are empty are left out.
 */
final class CmReport {
    /** Digits of the fields that are shown in hexadecimal. */
    private static final Map<String, Integer> DIGITS = Map.ofEntries(
            Map.entry("localCommId", 8),
            Map.entry("remoteCommId", 8),
            Map.entry("serviceId", 16),
            Map.entry("caGuid", 16),
            Map.entry("qkey", 8),
            Map.entry("qpn", 6),
            Map.entry("remoteQpn", 6),
            Map.entry("startingPsn", 6),
            Map.entry("pkey", 4),
            Map.entry("localEecn", 6),
            Map.entry("remoteEecn", 6),
            Map.entry("eecn", 6),
            Map.entry("localLid", 4),
            Map.entry("remoteLid", 4),
            Map.entry("flowLabel", 5));

    private CmReport() {}

    /** Returns the fields in the order of the message. */
    static Map<String, Object> of(Mad mad) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("attribute", mad.message().attribute().name());
        fields.put("transaction_id", hex(mad.transactionId(), 16));
        add(fields, (Record) mad.message());
        if (mad.message() instanceof CmRej rej) {
            fields.put("reason_text", CmReason.text(rej.reason()));
        }
        if (mad.message() instanceof CmReq req) {
            IpCmHeader ip = IpCmHeader.read(req.privateData());
            if (ip != null) {
                Map<String, Object> header = new LinkedHashMap<>();
                add(header, ip);
                PrivateData application = IpCmHeader.application(req.privateData());
                if (application.length() > 0) {
                    header.put("private_data", application.toString());
                }
                fields.put("ip_cm", header);
            }
        }
        return fields;
    }

    private static void add(Map<String, Object> fields, Record from) {
        for (RecordComponent component : from.getClass().getRecordComponents()) {
            Object value;
            try {
                value = component.getAccessor().invoke(from);
            } catch (ReflectiveOperationException e) {
                throw new InvariantViolation("a message's field cannot be read: " + e);
            }
            add(fields, component.getName(), value);
        }
    }

    private static void add(Map<String, Object> fields, String name, Object value) {
        Integer digits = DIGITS.get(name);
        String key = name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        if (value instanceof CmPath path) {
            if (!path.equals(CmPath.NONE)) {
                Map<String, Object> parts = new LinkedHashMap<>();
                add(parts, path);
                fields.put(key, parts);
            }
        } else if (value instanceof PrivateData data) {
            if (data.length() > 0) {
                fields.put(key, data.toString());
            }
        } else if (value instanceof Gid gid) {
            fields.put(key, gid.toString());
        } else if (digits != null) {
            long number = ((Number) value).longValue();
            fields.put(key, hex(value instanceof Integer ? number & 0xFFFF_FFFFL : number, digits));
        } else {
            fields.put(key, value);
        }
    }

    private static String hex(long value, int digits) {
        String text = Long.toHexString(value);
        return "0x" + "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
