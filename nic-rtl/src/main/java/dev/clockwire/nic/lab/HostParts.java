package dev.clockwire.nic.lab;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.fabric.PcieSwitchSpec;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.HostDepth;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.pcie.link.DataLinkSpec;
import dev.clockwire.pcie.link.DllpMode;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.PcieOrdering;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.fabric.SwitchSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From a profile's values to the specs of host, PCIe and line. */
final class HostParts {
    private static final long MICROSECOND = 1_000_000;
    private static final long HOLD_PS = 16_000;
    private static final long CONTEXT_SWITCH_PS = 1_500_000;
    private static final long SYSCALL_PS = 400_000;
    private static final long COPY_BYTE_PS = 60;

    private static final int CREDIT_BYTES = 16;

    /** The largest non-posted packet carries 32 bytes: two units. */
    private static final int MIN_NON_POSTED_DATA = 2;

    /** A packet of the largest MTU with all headers, and a pause frame; both with preamble and gap. */
    private static final int LONGEST_FRAME_BYTES = 4096 + 122;

    private static final int PAUSE_FRAME_BYTES = 84;

    private HostParts() {}

    static HostSpec host(Profile p) {
        long root = p.picoseconds("host.root_complex_ns");
        HostDepth depth = HostFeatures.of(p);
        return p.together(
                () -> new HostSpec(
                        root,
                        0,
                        Math.max(1, p.picoseconds("host.queue_read_ns")),
                        Math.max(
                                1,
                                p.picoseconds("host.payload_read_ns") + p.picoseconds("host.payload_translation_ns")),
                        p.picoseconds("host.numa.hop_ns"),
                        root,
                        Math.max(1, p.picoseconds("host.write_commit_ns")),
                        HOLD_PS,
                        Math.max(1, p.picoseconds("host.mmio_ns") + root),
                        p.integer("host.numa.nodes"),
                        depth),
                "host.numa.memory_node",
                "host.numa.core_node",
                "host.numa.nodes");
    }

    static CpuSpec cpu(Profile p) {
        return new CpuSpec(
                p.picoseconds("host.cpu.doorbell_ns"),
                p.picoseconds("host.cpu.wc_flush_ns"),
                0,
                p.picoseconds("host.cpu.poll_ns"),
                p.picoseconds("host.cpu.interrupt_ns"),
                SYSCALL_PS,
                CONTEXT_SWITCH_PS,
                COPY_BYTE_PS,
                p.picoseconds("host.cpu.post_ns"),
                p.picoseconds("host.cpu.cqe_ns"));
    }

    static PcieLinkSpec pcie(Profile p) {
        long way = Math.max(1, p.picoseconds("pcie.propagation_ns"));
        String rcb = p.text("pcie.rcb");
        boolean join = rcb.equals("mps");
        FlowCredits device = PcieLinkSpec.of(4, 16).downCredits();
        PcieLinkSpec link = PcieLinkSpec.of(p.integer("pcie.generation"), p.integer("pcie.lanes"))
                .withSizes(p.integer("pcie.mps"), p.integer("pcie.mrrs"))
                .withCompletions(join ? 64 : Integer.parseInt(rcb), join)
                .withDllpMode(dllp(p.text("pcie.dllp")))
                .withDelays(way, way)
                .withSwitches(p.integer("pcie.switch_hops"), p.picoseconds("pcie.switch_hop_ns"))
                .withReadLimits(p.integer("pcie.tags"), 0)
                .withCredits(credits(p), device)
                .withTroubles(troubles(p))
                .withOrdering(
                        new PcieOrdering(p.picoseconds("pcie.strict_write_ns"), p.flag("pcie.id_based_ordering")));
        link.checkRetryBytes(p.integer("pcie.retry_bytes"));
        return link;
    }

    /** Returns the PCIe switch between root port and device, null if the device sits on the port. */
    static @Nullable PcieSwitchSpec pcieSwitch(Profile p) {
        return switch (p.text("pcie.switch")) {
            case "gen5" -> PcieSwitchSpec.GEN5;
            case "on_chip" -> PcieSwitchSpec.ON_CHIP;
            default -> null;
        };
    }

    /** Returns the link between root port and switch: half of the way of the whole one, and what happens to packets for the host. */
    static PcieLinkSpec above(PcieLinkSpec whole) {
        return whole.withDelays(half(whole.upDelayPs()), half(whole.downDelayPs()))
                .withTroubles(whole.troubles().ofDirection(true));
    }

    /** Returns the link between switch and device: the other half, and what happens to packets for the device. */
    static PcieLinkSpec below(PcieLinkSpec whole) {
        return whole.withDelays(
                        Math.max(1, whole.upDelayPs() - half(whole.upDelayPs())),
                        Math.max(1, whole.downDelayPs() - half(whole.downDelayPs())))
                .withSwitches(0, 0)
                .withTroubles(whole.troubles().ofDirection(false));
    }

    private static long half(long ps) {
        return Math.max(1, ps / 2);
    }

    private static LinkTroubles troubles(Profile p) {
        double ber = p.number("pcie.ber");
        DataLinkSpec layer = ber == 0
                ? null
                : new DataLinkSpec(ber, p.integer("pcie.retry_bytes"), p.picoseconds("pcie.retrain_ns"), List.of());
        return new LinkTroubles(layer, List.of(), MICROSECOND * p.integer("pcie.completion_timeout_us"));
    }

    private static FlowCredits credits(Profile p) {
        int data = p.integer("pcie.credits.posted_data");
        int least = p.integer("pcie.mps") / CREDIT_BYTES;
        if (data < least) {
            throw new ConfigurationException(
                    "pcie.credits.posted_data=" + data + ": with pcie.mps=" + p.integer("pcie.mps")
                            + " allowed is a whole number from " + least + ", the credits of one packet");
        }
        return new FlowCredits(
                p.integer("pcie.credits.posted_headers"),
                data,
                p.integer("pcie.credits.nonposted_headers"),
                Math.max(MIN_NON_POSTED_DATA, p.integer("pcie.credits.nonposted_headers")),
                0,
                0);
    }

    private static DllpMode dllp(String text) {
        return switch (text) {
            case "pcie-bench" -> DllpMode.PCIE_BENCH;
            case "framing" -> DllpMode.FRAMING;
            default -> DllpMode.EXACT;
        };
    }

    /** A pause frame waits for the longest frame in front of it, and travels. */
    static long pauseDelay(LinkSpec line) {
        return line.linePs(LONGEST_FRAME_BYTES + PAUSE_FRAME_BYTES) + line.flightPs();
    }

    /** Returns the switch between two hosts, null if they are joined back to back. */
    static @Nullable SwitchSpec between(Profile p) {
        String kind = p.text("link.switch");
        return kind.equals("none")
                ? null
                : new SwitchSpec(Math.max(1, p.picoseconds("link.switch_ns")), kind.equals("cut-through"));
    }

    static LinkSpec line(Profile p) {
        Framing framing = p.text("link.framing").equals("infiniband") ? Framing.INFINIBAND : Framing.ETHERNET;
        return LinkSpec.ethernet(
                        p.number("link.gbps"),
                        Math.max(1, p.picoseconds("link.cable_ns")),
                        p.picoseconds("link.phy_ns"))
                .withFraming(framing);
    }
}
