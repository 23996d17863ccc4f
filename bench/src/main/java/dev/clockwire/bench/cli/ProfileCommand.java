package dev.clockwire.bench.cli;

import picocli.CommandLine.Command;

/** {@code profile}: the commands on hardware profiles. */
@Command(name = "profile", description = "List, show and compare hardware profiles, built in or from files.")
final class ProfileCommand extends CommandGroup {
    ProfileCommand() {}
}
