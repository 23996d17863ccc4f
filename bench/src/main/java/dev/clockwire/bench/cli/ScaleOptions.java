package dev.clockwire.bench.cli;

import dev.clockwire.bench.storage.ScaleSpec;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.storage.cluster.LinesSpec;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What large clusters are made of. */
final class ScaleOptions {
    private static final int MIB = 20;

    @Option(names = "--chains", paramLabel = "N", description = "Chains of 3FS (default: one a node).")
    private int chains;

    @Option(
            names = "--places",
            paramLabel = "N,N...;...",
            converter = PlacesConverter.class,
            description = "3FS: storage nodes of each chain, head first, as '0,1,2;2,0,1' (default: nodes in turn).")
    private @Nullable Places places;

    @Option(
            names = "--targets",
            paramLabel = "N",
            defaultValue = "1",
            description = "DAOS: targets of each engine, a core each (default: ${DEFAULT-VALUE}).")
    private int targets = 1;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "1",
            description = "ceph-crimson-rdma: reactors of an OSD that share its groups, a core each"
                    + " (default: ${DEFAULT-VALUE}).")
    private int shards = 1;

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
    private @Nullable Double nodeGbps;

    @Option(
            names = "--client-gbps",
            paramLabel = "GBPS",
            description = "Line of a client in Gbit/s (default: the profile's).")
    private @Nullable Double clientGbps;

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

    /** Storage nodes of chains, as they are typed. */
    record Places(List<List<Integer>> chains) {}

    /** Reads the nodes of chains. */
    static final class PlacesConverter implements ITypeConverter<Places> {
        PlacesConverter() {}

        @Override
        public Places convert(String text) {
            if (!text.matches("\\d{1,6}(,\\d{1,6})*(;\\d{1,6}(,\\d{1,6})*)*")) {
                throw CliException.usage(
                        "--places " + text + ": expected numbers of nodes, a chain behind ;, such as '0,1,2;2,0,1'");
            }
            return new Places(Stream.of(text.split(";", -1))
                    .map(chain -> Stream.of(chain.split(",", -1))
                            .map(Integer::valueOf)
                            .toList())
                    .toList());
        }
    }

    private static double line(String option, @Nullable Double gbps) {
        if (gbps != null && !(gbps >= LinesSpec.LEAST && gbps <= LinesSpec.MOST)) {
            throw CliException.usage(option + " " + Plain.text(gbps) + " is outside its range "
                    + Plain.text(LinesSpec.LEAST) + " to " + Plain.text(LinesSpec.MOST) + " Gbit/s");
        }
        return gbps == null ? 0 : gbps;
    }

    ScaleSpec spec() {
        Places chosen = places;
        if (chosen != null && chains != 0 && chains != chosen.chains().size()) {
            throw CliException.usage(
                    "--chains " + chains + ": --places names " + chosen.chains().size());
        }
        Range.check("--targets", targets, 1, 32, "");
        Range.check("--shards", shards, 1, 64, "");
        Range.check("--chains", chains, 0, 1_000_000, "");
        Range.check("--disks", disks, 1, 64, "");
        Range.check("--switch-buffer", buffer, 1, 4096, "MiB");
        LinesSpec lines = new LinesSpec(
                line("--node-gbps", nodeGbps), line("--client-gbps", clientGbps), (long) buffer << MIB, lossless);
        return new ScaleSpec(
                chains, chosen == null ? List.of() : chosen.chains(), disks, targets, shards, lines, onUse);
    }
}
