package dev.clockwire.bench.cli;

import picocli.CommandLine.Option;

/** Options whose machinery does not exist yet: refused in words, never ignored. */
final class NotBuilt {
    @Option(names = "--switch", description = "Not yet: a switch between the hosts.")
    private boolean throughSwitch;

    NotBuilt() {}

    /** Refuses what cannot be done: exit code 2. */
    void check() {
        if (throughSwitch) {
            throw refusal("--switch");
        }
    }

    private static CliException refusal(String option) {
        return CliException.usage(option + " is not built yet; this version simulates two hosts back to back");
    }
}
