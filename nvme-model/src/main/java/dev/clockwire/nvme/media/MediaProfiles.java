package dev.clockwire.nvme.media;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;

/**
 * Media of known devices. Pipeline, units and link follow from published saturation (one over the pipeline for small blocks, the link for
 * large ones), the units' time from the published latency of one command at a time, from a program on a host to the program again: driver, doorbell,
 * fetch and PCIe are part of it and are simulated beside the medium.
 */
public final class MediaProfiles {
    private static final long NS = 1000;
    private static final long US = 1_000_000;
    private static final long GB = 1_000_000_000;
    private static final int KIB4 = 4096;

    private static final List<MediaSpec> ALL = List.of(
            // 512 B: 5.00 M IOPS at a queue depth of 128 (spdk.io 2021), 4 KiB: 1.54 M; one at a time "below 6 us"
            // (Intel's brief, second hand)
            new MediaSpec(
                    "p5800x",
                    200 * NS,
                    32,
                    KIB4,
                    3020 * NS,
                    3020 * NS,
                    17_920_000_000L,
                    6_300_000_000L,
                    400 * NS,
                    WriteBufferSpec.NONE),
            // 8.9 us one at a time, 585 k IOPS at a queue depth of 16 (AnandTech)
            new MediaSpec(
                    "p4800x", 1700 * NS, 16, KIB4, 3570 * NS, 3570 * NS, 0, 3 * GB, 250 * NS, WriteBufferSpec.NONE),
            // about 1 M reads per second; time of a read, units and what is on top are guesses that give it; writes 3.5
            // to 4.1 GB/s
            new MediaSpec(
                    "pm9a3",
                    US,
                    128,
                    KIB4,
                    60 * US,
                    60 * US,
                    0,
                    6_500_000_000L,
                    18 * US,
                    new WriteBufferSpec(64L << 20, 1 << 14, 500 * US, 0)),
            new MediaSpec("ram", 0, 0, KIB4, 0, 0, 0, 0, 0, WriteBufferSpec.NONE),
            new MediaSpec("null", 0, 0, KIB4, 0, 0, 0, 0, 0, WriteBufferSpec.NONE));

    private MediaProfiles() {}

    /** Returns all of them. */
    public static List<MediaSpec> all() {
        return ALL;
    }

    /**
     * Returns the medium of a name.
     *
     * @throws ConfigurationException that names the nearest
     */
    public static MediaSpec named(String name) {
        for (MediaSpec spec : ALL) {
            if (spec.name().equals(name)) {
                return spec;
            }
        }
        List<String> names = ALL.stream().map(MediaSpec::name).toList();
        throw new ConfigurationException("no media profile " + name + Nearest.hint(name, names));
    }
}
