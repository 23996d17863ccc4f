package dev.clockwire.bench.cli;

import dev.clockwire.bench.storage.SoftwareSpec;
import picocli.CommandLine.Option;

/** What DAOS and Ceph do about memory and waiting. */
final class SoftwareOptions {
    private static final int MOST_US = 100_000_000;
    private static final int MOST_OSD_US = 10_000;

    @Option(
            names = "--mr-cache",
            description = "DAOS keeps registrations of clients' memory, as it does not for verbs.")
    private boolean cache;

    @Option(
            names = "--polling-us",
            paramLabel = "N",
            defaultValue = "-1",
            description = "Ceph: ms_async_rdma_polling_us, 0 for interrupts (default: 1000).")
    private int pollingUs = -1;

    @Option(
            names = "--osd-us",
            paramLabel = "N",
            defaultValue = "-1",
            description = "Ceph: microseconds of a core that an operation takes in an OSD (default: 2).")
    private int osdUs = -1;

    SoftwareOptions() {}

    SoftwareSpec spec() {
        Range.check("--polling-us", pollingUs, -1, MOST_US, "");
        Range.check("--osd-us", osdUs, -1, MOST_OSD_US, "");
        return SoftwareSpec.usual()
                .withRegistrationCache(cache)
                .withPollingUs(pollingUs)
                .withOsdUs(osdUs);
    }
}
