package dev.clockwire.bench.audit;

import dev.clockwire.sim.error.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Storage devices: the latency of a single 4 KB read and the highest rates that anybody has published, which are above the data sheet's.
 *
 * <p>Source: 24 Optane P5800X read 37 M blocks of 4 KiB/s, 16 of them 80 M of 512 B (spdk.io 2021, 2023), the same rows that {@code validate} has;
 * reads and writes at once are those of Intel's product brief, 2.0 M/s of 4 KiB. A RAM or null device has no limit of its own.
 */
enum Media {
    /** Intel Optane P5800X on PCIe Gen4 x4. */
    P5800X(5, 80e6 / 16, 37e6 / 24 * 4096, 2.0e6 * 4096),
    /** Memory or a device that answers at once. */
    RAM(0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    final double latencyUs;
    private final double commands;
    private final double bytes;
    private final double mixedBytes;

    Media(double latencyUs, double commands, double bytes, double mixedBytes) {
        this.latencyUs = latencyUs;
        this.commands = commands;
        this.bytes = bytes;
        this.mixedBytes = mixedBytes;
    }

    /** Returns the I/Os of a size that it does in a second. */
    double iops(double size, boolean mixed) {
        return Math.min(commands, (mixed ? mixedBytes : bytes) / size);
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
