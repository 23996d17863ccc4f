package dev.clockwire.bench.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** What hardware is simulated, and with which random streams. */
final class HardwareOptions {
    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "cx7-400g",
            description = "Hardware profile (default: ${DEFAULT-VALUE}).")
    private String profile = "";

    @Option(
            names = "-P",
            paramLabel = "PATH=VALUE",
            converter = ProfileOverride.Converter.class,
            description = "Replace one value of the profile; may be repeated. 'profile show' lists the paths.")
    private List<ProfileOverride> overrides = List.of();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Root of all random streams (default: ${DEFAULT-VALUE}).")
    private long seed;

    HardwareOptions() {}

    String profile() {
        return profile;
    }

    /** Returns what was typed, in its order. */
    List<ProfileOverride> overrides() {
        return overrides;
    }

    long seed() {
        return seed;
    }
}
