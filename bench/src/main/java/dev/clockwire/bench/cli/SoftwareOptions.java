package dev.clockwire.bench.cli;

import dev.clockwire.bench.storage.SoftwareSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What DAOS and Ceph do about memory and waiting. */
final class SoftwareOptions {
    private static final int MOST_US = 100_000_000;
    private static final int UNSAID = -1;
    private static final int MOST_OSD_US = 10_000;

    @Option(
            names = "--mr-cache",
            description = "DAOS keeps registrations of clients' memory, as it does not for verbs.")
    private boolean cache;

    @Option(
            names = "--polling-us",
            paramLabel = "N",
            description = "Ceph: ms_async_rdma_polling_us, 0 for interrupts (default: 1000).")
    private @Nullable Integer pollingUs;

    @Option(
            names = "--osd-us",
            paramLabel = "N",
            description = "Ceph: microseconds of a core that an operation takes in an OSD (default: 2).")
    private @Nullable Integer osdUs;

    SoftwareOptions() {}

    private static int orUnsaid(String option, @Nullable Integer value, int most) {
        return value == null ? UNSAID : (int) Range.check(option, value, 0, most, "us");
    }

    SoftwareSpec spec() {
        return SoftwareSpec.usual()
                .withRegistrationCache(cache)
                .withPollingUs(orUnsaid("--polling-us", pollingUs, MOST_US))
                .withOsdUs(orUnsaid("--osd-us", osdUs, MOST_OSD_US));
    }
}
