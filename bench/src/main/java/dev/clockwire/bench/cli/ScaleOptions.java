package dev.clockwire.bench.cli;

import dev.clockwire.bench.storage.ScaleSpec;
import dev.clockwire.storage.cluster.LinesSpec;
import picocli.CommandLine.Option;

/** What large clusters are made of. */
final class ScaleOptions {
    private static final int MIB = 20;

    @Option(names = "--chains", paramLabel = "N", description = "Chains of 3FS (default: one a node).")
    private int chains;

    @Option(
            names = "--disks",
            paramLabel = "N",
            defaultValue = "1",
            description = "SSDs of a storage node, of 3FS only (default: ${DEFAULT-VALUE}).")
    private int disks = 1;

    @Option(
            names = "--node-gbps",
            paramLabel = "GBPS",
            description = "Line of a storage node in Gbit/s, all its ports together (default: the profile's).")
    private double nodeGbps;

    @Option(
            names = "--client-gbps",
            paramLabel = "GBPS",
            description = "Line of a client in Gbit/s (default: the profile's).")
    private double clientGbps;

    @Option(
            names = "--lossless",
            description = "The switch pauses senders before it loses frames, as InfiniBand does not let them send.")
    private boolean lossless;

    @Option(
            names = "--switch-buffer",
            paramLabel = "MIB",
            defaultValue = "64",
            description = "Buffer of the switch in MiB (default: ${DEFAULT-VALUE}).")
    private int buffer = 64;

    @Option(
            names = "--connect-on-use",
            description = "Clients of 3FS connect to a node when they first ask it, as in the real system; else before"
                    + " anything is counted.")
    private boolean onUse;

    ScaleOptions() {}

    ScaleSpec spec() {
        Range.check("--chains", chains, 0, 1_000_000, "");
        Range.check("--disks", disks, 1, 64, "");
        Range.check("--switch-buffer", buffer, 1, 4096, "MiB");
        return new ScaleSpec(chains, disks, new LinesSpec(nodeGbps, clientGbps, (long) buffer << MIB, lossless), onUse);
    }
}
