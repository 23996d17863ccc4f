package dev.clockwire.nic.profile;

import static dev.clockwire.nic.profile.Param.choice;
import static dev.clockwire.nic.profile.Param.flag;
import static dev.clockwire.nic.profile.Param.integer;
import static dev.clockwire.nic.profile.Param.number;

import java.util.List;

/** The parameters of what a host has only on request, and their values in a profile that says nothing of them. */
final class HostParameters {
    static final List<Param> ALL = List.of(
            flag("host.iommu.enabled", "An IOMMU translates what devices read and write"),
            integer("host.iommu.iotlb_entries", "", 1, 1 << 20, "Translations the IOTLB holds"),
            integer("host.iommu.iotlb_ways", "", 1, 1 << 20, "Ways of the IOTLB"),
            number("host.iommu.hit_ns", "ns", 0, 10_000, "Look into the IOTLB"),
            number("host.iommu.walk_ns", "ns", 1, 100_000, "Page walk of four levels; fewer levels take their share"),
            integer("host.iommu.walkers", "", 1, 256, "Page walks under way at a time"),
            choice("host.iommu.fault", "", "How a read of an unmapped address is refused", "ur", "ca"),
            choice(
                    "host.huge_pages",
                    "",
                    "Pages that buffers get: 4 KB, transparent huge pages, or a reserved pool of larger ones",
                    "never",
                    "transparent",
                    "2M",
                    "1G"));

    private HostParameters() {}

    /** Sets what a host without any of it has; the sizes are those that count once something is switched on. */
    static void defaults(ProfileBuilder b) {
        b.source('C', "no part of the measured hosts' logs")
                .set("host.iommu.enabled", false)
                .set("host.huge_pages", "never")
                .source('A', "pcie-bench on Xeon E5: knee at 64 pages of 4 KB, 330 ns for a miss")
                .set("host.iommu.iotlb_entries", 64)
                .set("host.iommu.walk_ns", 330)
                .source(
                        'B',
                        "the same: 64 B reads lose about 70 %, 512 B reads nothing, so about 12 million walks a second")
                .set("host.iommu.walkers", 4)
                .source('C', "size of such a buffer")
                .set("host.iommu.iotlb_ways", 4)
                .source('B', "published hits cost nothing that could be measured")
                .set("host.iommu.hit_ns", 0)
                .source('B', "VT-d answers a blocked read as an unsupported request, AMD's IOMMU aborts it")
                .set("host.iommu.fault", "ur");
    }
}
