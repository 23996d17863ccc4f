package dev.clockwire.bench.cli;

import picocli.CommandLine.Command;

/** {@code nvmf}: NVMe over fabrics. */
@Command(name = "nvmf", description = "NVMe over fabrics: loads, targets and their configuration.")
final class NvmfCommand extends CommandGroup {
    NvmfCommand() {}
}
