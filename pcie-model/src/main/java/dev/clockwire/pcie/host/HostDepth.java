package dev.clockwire.pcie.host;

import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a host that tail latency comes from, each of which is built only on request.
 *
 * @param iommu in front of memory; null without one
 * @param pages what pages buffers get
 * @param numa who lives on which node
 * @param ddio the cache ways of device writes; null: what a placement says is in the cache always is
 * @param stalls what holds up memory
 * @param sched what cores lose to others; null: they are isolated
 * @param peerPs from a packet's arrival at a root port to its way out at another, for devices that talk to each other, up to 1 ms; 0: root
 *     ports pass nothing on
 */
public record HostDepth(
        @Nullable IommuSpec iommu,
        HugePages pages,
        NumaSpec numa,
        @Nullable DdioSpec ddio,
        StallSpec stalls,
        @Nullable SchedSpec sched,
        long peerPs) {
    /** Nothing of it. */
    public static final HostDepth NONE =
            new HostDepth(null, HugePages.NEVER, NumaSpec.LOCAL, null, StallSpec.NONE, null, 0);

    private static final long SLOWEST = 1_000_000_000;

    /** Checks the range. */
    public HostDepth {
        if (peerPs < 0 || peerPs > SLOWEST) {
            throw new ConfigurationException(
                    "host: " + peerPs + " ps from one root port to another are not in 0.." + SLOWEST);
        }
    }

    /** Returns a copy with an IOMMU and the pages that it maps. */
    public HostDepth withIommu(@Nullable IommuSpec spec, HugePages size) {
        return new HostDepth(spec, size, numa, ddio, stalls, sched, peerPs);
    }

    /** Returns a copy with memory and cores elsewhere. */
    public HostDepth withNuma(NumaSpec spec) {
        return new HostDepth(iommu, pages, spec, ddio, stalls, sched, peerPs);
    }

    /** Returns a copy with another cache. */
    public HostDepth withDdio(@Nullable DdioSpec spec) {
        return new HostDepth(iommu, pages, numa, spec, stalls, sched, peerPs);
    }

    /** Returns a copy with other stalls. */
    public HostDepth withStalls(StallSpec spec) {
        return new HostDepth(iommu, pages, numa, ddio, spec, sched, peerPs);
    }

    /** Returns a copy with cores that others use too; null isolates them. */
    public HostDepth withSched(@Nullable SchedSpec spec) {
        return new HostDepth(iommu, pages, numa, ddio, stalls, spec, peerPs);
    }

    /** Returns a copy whose root ports pass packets of devices on to each other; 0: they do not. */
    public HostDepth withPeers(long ps) {
        return new HostDepth(iommu, pages, numa, ddio, stalls, sched, ps);
    }
}
