package dev.clockwire.bench.audit;

import dev.clockwire.sim.error.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Storage devices: the latency of a single 4 KB read and the rates that the data sheet promises at most.
 *
 * <p>Source: Intel's product brief of the Optane P5800X series; a RAM or null device has no limit of its own.
 */
enum Media {
    /** Intel Optane P5800X on PCIe Gen4 x4. */
    P5800X(5, 1.5e6, 2.0e6),
    /** Memory or a device that answers at once. */
    RAM(0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    final double latencyUs;
    final double iops;
    final double mixedIops;

    Media(double latencyUs, double iops, double mixedIops) {
        this.latencyUs = latencyUs;
        this.iops = iops;
        this.mixedIops = mixedIops;
    }

    static List<String> names() {
        return Arrays.stream(values())
                .map(m -> m.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    static Media of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    static boolean knows(String name) {
        return names().contains(name);
    }

    static String hint(String name) {
        return "unknown" + Nearest.hint(name, names());
    }
}
