package dev.clockwire.bench.nvmf;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a controller is, as SPDK's tools take it: {@code trtype:RDMA adrfam:IPv4 traddr:10.0.0.2 trsvcid:4420 subnqn:...}. Keys may be
 * followed by a colon or an equals sign.
 *
 * @param values by their keys, in lower case
 */
public record TransportId(Map<String, String> values) {
    private static final List<String> KEYS = List.of(
            "trtype", "adrfam", "traddr", "trsvcid", "subnqn", "hostaddr", "hostsvcid", "hostnqn", "ns", "priority");
    private static final List<String> TYPES = List.of("PCIe", "RDMA", "TCP");

    /** Copies the values. */
    public TransportId {
        values = Map.copyOf(values);
    }

    /**
     * Reads one.
     *
     * @throws ConfigurationException that names the first part that is wrong
     */
    public static TransportId parse(String text) {
        Map<String, String> values = new TreeMap<>();
        for (String part : text.strip().split("[ \t,]+", -1)) {
            int colon = part.indexOf(':');
            int equals = part.indexOf('=');
            int end = colon < 0 || (equals >= 0 && equals < colon) ? equals : colon;
            if (end <= 0 || end == part.length() - 1) {
                throw new ConfigurationException(
                        "transport '" + part + "': expected KEY:VALUE, for example trtype:RDMA");
            }
            String key = part.substring(0, end).toLowerCase(Locale.ROOT);
            if (!KEYS.contains(key)) {
                throw new ConfigurationException("transport key '" + key + "' is unknown" + Nearest.hint(key, KEYS));
            }
            if (values.put(key, part.substring(end + 1)) != null) {
                throw new ConfigurationException("transport key '" + key + "' stands twice");
            }
        }
        String type = values.getOrDefault("trtype", "");
        if (TYPES.stream().noneMatch(t -> t.equalsIgnoreCase(type))) {
            throw new ConfigurationException("trtype '" + type + "' is not simulated: it is PCIe, RDMA or TCP");
        }
        return new TransportId(values);
    }

    /** Returns a value, empty if there is none. */
    public String value(String key) {
        return values.getOrDefault(key, "");
    }

    /** Returns whether the controller is on the local PCIe. */
    public boolean isLocal() {
        return value("trtype").equalsIgnoreCase("PCIe");
    }
}
