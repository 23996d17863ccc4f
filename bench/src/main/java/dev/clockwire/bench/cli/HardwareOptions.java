package dev.clockwire.bench.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What hardware is simulated, and with which random streams. */
final class HardwareOptions {
    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE.yaml",
            defaultValue = "cx7-400g",
            converter = ChosenProfile.Converter.class,
            description = "Hardware profile, or a file that lays values over one (default: ${DEFAULT-VALUE}).")
    private ChosenProfile profile = ChosenProfile.USUAL;

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

    /** Returns the name of the built-in profile. */
    String profile() {
        return profile.base();
    }

    /** Returns what a file lays over it, then what was typed in its order: the later one of a path wins. */
    List<ProfileOverride> overrides() {
        List<ProfileOverride> all = new ArrayList<>(profile.overrides());
        all.addAll(overrides);
        return List.copyOf(all);
    }

    long seed() {
        return seed;
    }
}
