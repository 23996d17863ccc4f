package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.PlacedJson;
import java.util.List;
import java.util.Map;

/** Refuses parameters of the ns-3 model that mean something that is not simulated, by name and line: a run without them would be another. */
final class TraceLimits {
    /** Congestion control of that model by its number. */
    private static final Map<Long, String> MODES = Map.of(3L, "HPCC", 7L, "TIMELY", 8L, "DCTCP", 10L, "HPCC-PINT");

    private static final long MOST_MODES = 1000;
    private static final double ANY = 1e18;

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

    /** Checks the parameters of a run. */
    static void check(PlacedJson config) {
        config.find("CC_MODE").ifPresent(TraceLimits::mode);
        for (Limit limit : LIMITS) {
            config.find(limit.key).ifPresent(value -> {
                if (value.number(-ANY, ANY) != limit.only) {
                    String only = limit.only == 0 ? "0" : "1";
                    throw value.refused(limit.key + " " + value.written() + ": " + limit.meaning
                            + " are not simulated; only " + only + " is");
                }
            });
        }
    }

    private static void mode(PlacedJson value) {
        long mode = value.integer(0, MOST_MODES);
        if (mode > 1) {
            String known = MODES.get(mode);
            throw value.refused("CC_MODE " + mode + (known == null ? " is no mode that is known" : " is " + known)
                    + ": only 1 (DCQCN) and 0 (none) are simulated");
        }
    }
}
