package dev.clockwire.bench.cli;

import picocli.CommandLine.Option;

/** Options that only the real perftest needs: a command line written for it works here as typed. */
final class DeviceOptions {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            defaultValue = "mlx5_0",
            description = "Device name, printed.")
    String device = "";

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Accepted.")
    private int devicePort;

    @Option(
            names = {"-F", "--CPU-freq"},
            description = "Accepted.")
    boolean frequency;

    @Option(
            names = {"-N", "--no_peak-bw"},
            description = "Do not search for the peak.")
    boolean noPeak;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "N",
            defaultValue = "3",
            description = "GID index, printed.")
    int gidIndex;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "N",
            defaultValue = "18515",
            description = "Accepted.")
    private int port;

    DeviceOptions() {}

    /** Checks what was typed although nothing depends on it. */
    void check() {
        Range.check("-x", gidIndex, 0, 255, "");
        Range.check("-i", devicePort, 1, 255, "");
        Range.check("-p", port, 1, 65_535, "");
    }
}
