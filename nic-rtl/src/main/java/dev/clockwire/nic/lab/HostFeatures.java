package dev.clockwire.nic.lab;

import dev.clockwire.nic.driver.RegistrationSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.host.DdioSpec;
import dev.clockwire.pcie.host.HostDepth;
import dev.clockwire.pcie.host.NumaSpec;
import dev.clockwire.pcie.host.SchedSpec;
import dev.clockwire.pcie.host.StallSpec;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/** From a profile's values to the parts of a host that are built on request. */
final class HostFeatures {
    private static final int KBYTE = 10;

    private HostFeatures() {}

    static HostDepth of(Profile p) {
        return new HostDepth(
                iommu(p),
                pages(p),
                new NumaSpec(p.integer("host.numa.memory_node"), p.integer("host.numa.core_node")),
                ddio(p),
                stalls(p),
                sched(p),
                p.picoseconds("host.peer_ns"));
    }

    /** The values are checked even if nothing is built from them. */
    private static @Nullable IommuSpec iommu(Profile p) {
        IommuSpec spec = p.together(
                () -> new IommuSpec(
                        p.integer("host.iommu.iotlb_entries"),
                        p.integer("host.iommu.iotlb_ways"),
                        p.picoseconds("host.iommu.hit_ns"),
                        p.picoseconds("host.iommu.walk_ns"),
                        p.integer("host.iommu.walkers"),
                        p.text("host.iommu.fault").equals("ca") ? CompletionStatus.CA : CompletionStatus.UR),
                "host.iommu.iotlb_entries",
                "host.iommu.iotlb_ways");
        return p.flag("host.iommu.enabled") ? spec : null;
    }

    /** Returns what translations the device keeps, null if none. */
    static @Nullable AtsSpec ats(Profile p) {
        AtsSpec spec = p.together(
                () -> new AtsSpec(p.integer("pcie.atc_entries"), p.integer("pcie.atc_ways")),
                "pcie.atc_entries",
                "pcie.atc_ways");
        if (p.flag("pcie.ats") && !p.flag("host.iommu.enabled")) {
            throw new ConfigurationException(
                    "pcie.ats=true: with host.iommu.enabled=false allowed is false, as nobody translates");
        }
        return p.flag("pcie.ats") ? spec : null;
    }

    private static @Nullable DdioSpec ddio(Profile p) {
        DdioSpec spec = p.together(
                () -> new DdioSpec(
                        p.wholeNumber("host.llc.kbytes") << KBYTE,
                        p.integer("host.llc.ways"),
                        p.integer("host.ddio.ways")),
                "host.llc.kbytes",
                "host.llc.ways",
                "host.ddio.ways");
        return p.flag("host.ddio.modelled") ? spec : null;
    }

    private static StallSpec stalls(Profile p) {
        return p.together(
                () -> new StallSpec(
                        p.picoseconds("host.stall.period_ns"),
                        p.picoseconds("host.stall.duration_ns"),
                        p.number("host.stall.probability"),
                        p.text("host.stall.begins").equals("access"),
                        p.picoseconds("host.jitter.median_ns"),
                        p.number("host.jitter.sigma")),
                "host.stall.period_ns",
                "host.stall.duration_ns");
    }

    private static @Nullable SchedSpec sched(Profile p) {
        SchedSpec spec = p.together(
                () -> new SchedSpec(
                        p.picoseconds("host.sched.tick_ns"),
                        p.picoseconds("host.sched.tick_cost_ns"),
                        p.number("host.sched.load"),
                        p.picoseconds("host.sched.slice_ns")),
                "host.sched.tick_ns",
                "host.sched.tick_cost_ns",
                "host.sched.slice_ns");
        return p.flag("host.isolcpus") ? null : spec;
    }

    static RegistrationSpec registration(Profile p) {
        return new RegistrationSpec(
                p.picoseconds("host.reg.pin_page_ns"),
                p.picoseconds("host.reg.unpin_page_ns"),
                p.picoseconds("host.reg.mtt_entry_ns"),
                p.wholeNumber("host.memlock_kbytes") << KBYTE);
    }

    private static HugePages pages(Profile p) {
        return switch (p.text("host.huge_pages")) {
            case "transparent" -> HugePages.TRANSPARENT;
            case "2M" -> HugePages.POOL_2M;
            case "1G" -> HugePages.POOL_1G;
            default -> HugePages.NEVER;
        };
    }
}
