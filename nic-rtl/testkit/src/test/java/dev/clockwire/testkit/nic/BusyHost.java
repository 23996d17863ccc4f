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
                .with("host.huge_pages", "transparent");
    }
}
