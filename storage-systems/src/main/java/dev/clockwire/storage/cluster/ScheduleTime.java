package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/** Times of a schedule: whole numbers with a unit. */
final class ScheduleTime {
    private static final List<String> UNITS = List.of("ps", "ns", "us", "ms", "s");
    private static final int THOUSAND = 1000;
    private static final int MOST_DIGITS = 6;

    private ScheduleTime() {}

    static long parse(String text) {
        int end = 0;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        int unit = UNITS.indexOf(text.substring(end));
        if (unit < 0 || end == 0 || end > MOST_DIGITS) {
            throw new ConfigurationException(
                    "schedule: '" + text + "' is not a time such as 3ms: up to 6 digits and ps, ns, us, ms or s");
        }
        long ps = Long.parseLong(text.substring(0, end));
        for (int i = 0; i < unit; i++) {
            ps *= THOUSAND;
        }
        return ps;
    }

    static String text(long ps) {
        long value = ps;
        int unit = 0;
        while (unit + 1 < UNITS.size() && value % THOUSAND == 0) {
            value /= THOUSAND;
            unit++;
        }
        return value + UNITS.get(unit);
    }
}
