package dev.clockwire.bench.fabric;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import java.util.Map;

/** Refuses parameters of the ns-3 model that mean something that is not simulated, by name and line: a run without them would be another. */
final class TraceLimits {
    /** Congestion control of that model by its number. */
    private static final Map<Integer, String> MODES = Map.of(3, "HPCC", 7, "TIMELY", 8, "DCTCP", 10, "HPCC-PINT");

    private static final List<Limit> LIMITS = List.of(
            new Limit("HAS_WIN", 0, "windows"),
            new Limit("L2_BACK_TO_ZERO", 0, "returns to the first packet of a message"),
            new Limit("RATE_BOUND", 1, "flows that no rate bounds"),
            new Limit("ACK_HIGH_PRIO", 1, "acknowledgements in the class of data"),
            new Limit("USE_DYNAMIC_PFC_THRESHOLD", 1, "fixed thresholds of pauses"),
            new Limit("ERROR_RATE_PER_LINK", 0, "error rates of all links at once"));

    /** A parameter with the only value that is simulated, and what others mean. */
    private record Limit(String key, double only, String meaning) {}

    private TraceLimits() {}

    /**
     * Checks the parameters of a run.
     *
     * @param name of the file
     * @param text of the file, for lines
     */
    static void check(JsonNode config, String name, String text) {
        JsonNode mode = config.get("CC_MODE");
        if (mode != null && mode.asInt() != 0 && mode.asInt() != 1) {
            String known = MODES.get(mode.asInt());
            throw refused(
                    name,
                    text,
                    "CC_MODE",
                    mode + (known == null ? " is no mode that is known" : " is " + known)
                            + ": only 1 (DCQCN) and 0 (none) are simulated");
        }
        for (Limit limit : LIMITS) {
            JsonNode value = config.get(limit.key);
            if (value != null && value.asDouble() != limit.only) {
                String only = limit.only == 0 ? "0" : "1";
                throw refused(
                        name,
                        text,
                        limit.key,
                        value.asText() + ": " + limit.meaning + " are not simulated; only " + only + " is");
            }
        }
    }

    private static ConfigurationException refused(String name, String text, String key, String why) {
        long line = 1
                + text.substring(0, Math.max(0, text.indexOf('"' + key + '"')))
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
        return new ConfigurationException(name + ":" + line + ": " + key + " " + why);
    }
}
