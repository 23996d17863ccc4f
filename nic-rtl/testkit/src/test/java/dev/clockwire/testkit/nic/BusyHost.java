package dev.clockwire.testkit.nic;

import dev.clockwire.nic.profile.Profile;

/** A host on which everything that a host may have is switched on. */
final class BusyHost {
    private BusyHost() {}

    static Profile of(Profile base) {
        return base.with("host.iommu.enabled", "true")
                .with("host.iommu.iotlb_entries", "8")
                .with("host.iommu.walkers", "2")
                .with("host.iommu.hit_ns", "5")
                .with("host.huge_pages", "transparent")
                .with("host.numa.memory_node", "1")
                .with("host.ddio.modelled", "true")
                .with("host.llc.kbytes", "704")
                .with("host.stall.period_ns", "8000")
                .with("host.stall.duration_ns", "700")
                .with("host.stall.probability", "0.3")
                .with("host.jitter.median_ns", "20")
                .with("host.jitter.sigma", "1");
    }
}
