package dev.clockwire.bench.cli;

import picocli.CommandLine.Command;

/** {@code config}: lines of configuration of real machines. */
@Command(name = "config", description = "Read configuration of real machines and say what it does in a simulation.")
final class ConfigCommand extends CommandGroup {
    ConfigCommand() {}
}
