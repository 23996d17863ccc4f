package dev.clockwire.bench.cli;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.storage.cluster.DiskKind;
import picocli.CommandLine.Option;

/** What the machines of a storage system have. */
final class ClusterOptions {
    @Option(
            names = "--provider",
            paramLabel = "KIND",
            converter = ProviderConverter.class,
            defaultValue = "hw",
            description = "hw or soft devices (default: ${DEFAULT-VALUE}).")
    private Provider provider = Provider.HW;

    @Option(
            names = "--ssd",
            paramLabel = "KIND",
            converter = DiskConverter.class,
            defaultValue = "full",
            description = "full: NVMe behind PCIe; media: its times without TLPs (default: ${DEFAULT-VALUE}).")
    private DiskKind ssd = DiskKind.FULL;

    ClusterOptions() {}

    /** Reads the name of a kind of disk. */
    static final class DiskConverter extends EnumConverter<DiskKind> {
        DiskConverter() {
            super("SSD", DiskKind.values());
        }
    }

    boolean isSoft() {
        return provider == Provider.SOFT;
    }

    DiskKind disk() {
        return ssd;
    }
}
