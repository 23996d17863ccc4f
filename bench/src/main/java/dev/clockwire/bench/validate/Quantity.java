package dev.clockwire.bench.validate;

import dev.clockwire.bench.perftest.PerftestResult;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What of a run a row states. */
enum Quantity {
    /** Median latency in us. */
    TYPICAL,
    /** Mean latency in us. */
    AVERAGE,
    /** Payload over time, in the row's unit. */
    BANDWIDTH,
    /** Messages over time. */
    RATE;

    private static final double MEBI_BITS = 8 * 1024 * 1024;

    /** Returns what a row's metric means; null if it is a percentile of the tail or nothing that a run gives. */
    static @Nullable Quantity of(String metric) {
        String m = metric.toLowerCase(Locale.ROOT);
        if (m.startsWith("t_typical") || m.startsWith("as reported") || m.startsWith("p50")) {
            return TYPICAL;
        }
        if (m.startsWith("t_avg")) {
            return AVERAGE;
        }
        if (m.equals("bandwidth")) {
            return BANDWIDTH;
        }
        return m.equals("msg rate") ? RATE : null;
    }

    /** Returns whether it is a latency. */
    boolean isLatency() {
        return this == TYPICAL || this == AVERAGE;
    }

    /** Returns the quantity of a result in a unit, NaN if the unit is not one of it. */
    double in(String unit, PerftestResult r) {
        double gbps = r.bandwidthGbps();
        return switch (this) {
            case TYPICAL -> unit.equals("us") ? r.latencyUs().p50() : Double.NaN;
            case AVERAGE -> unit.equals("us") ? r.latencyUs().avg() : Double.NaN;
            case RATE -> unit.equals("Mpps") ? r.msgRateMpps() : Double.NaN;
            case BANDWIDTH ->
                switch (unit) {
                    case "Gb/s" -> gbps;
                    case "GB/s" -> gbps / 8;
                    case "MB/s" -> gbps * 1000 / 8;
                    case "MiB/s" -> gbps * 1e9 / MEBI_BITS;
                    default -> Double.NaN;
                };
        };
    }
}
