package dev.clockwire.pcie.host;

import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.IommuSpec;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a host that tail latency comes from, each of which is built only on request.
 *
 * @param iommu in front of memory; null without one
 * @param pages what pages buffers get
 */
public record HostDepth(@Nullable IommuSpec iommu, HugePages pages) {
    /** Nothing of it. */
    public static final HostDepth NONE = new HostDepth(null, HugePages.NEVER);

    /** Returns a copy with an IOMMU and the pages that it maps. */
    public HostDepth withIommu(@Nullable IommuSpec spec, HugePages size) {
        return new HostDepth(spec, size);
    }
}
