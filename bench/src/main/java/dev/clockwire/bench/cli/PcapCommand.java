package dev.clockwire.bench.cli;

import picocli.CommandLine.Command;

/** {@code pcap}: what can be done with capture files. */
@Command(name = "pcap", description = "Read capture files.")
final class PcapCommand extends CommandGroup {
    PcapCommand() {}
}
