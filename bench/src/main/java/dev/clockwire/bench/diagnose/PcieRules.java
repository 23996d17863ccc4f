package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The slot that a NIC is in; names and meaning from Linux, Documentation/networking/.../mlx5/counters.rst. */
final class PcieRules {
    /** The driver itself counts a second in which the NIC could not write for 30 % of the time: a third of the rate is at stake. */
    private static final int STALLED_PERCENT = 30;

    /** Seconds of that since the driver was loaded: a minute is no start of a program any more. */
    private static final int STALLED_SECONDS = 60;

    /** Links that train come and go through Recovery some times. */
    private static final int TRAINING = 10;

    private static final List<String> WAYS = List.of("wr", "rd");

    static final List<Rule> ALL = List.of(
            Rule.of(
                    "pcie-stalled",
                    "the NIC has packets for memory, and the root complex takes none of them: PCIe or memory behind it"
                            + " is slower than the line",
                    "memory of the NIC's own NUMA node, relaxed ordering (PCI_WR_ORDERING=1), a slot of full width;"
                            + " iommu=pt",
                    PcieRules::stalled),
            Rule.of(
                    "pcie-signal",
                    "the PCIe link goes through Recovery: its signals are bad",
                    "seat the card anew, another slot, newer firmware of NIC and BIOS",
                    PcieRules::signal),
            Rule.of(
                    "link-degraded",
                    "a PCIe link runs slower or narrower than the device can",
                    "seat the card anew, another slot, BIOS (bifurcation, generation)",
                    all -> HostRules.functions(all, PcieRules::degraded)));

    private PcieRules() {}

    private static @Nullable String stalled(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            for (String way : WAYS) {
                String percent = "outbound_pci_stalled_" + way;
                String seconds = percent + "_events";
                boolean now = m.happens(percent, STALLED_PERCENT);
                boolean often = m.happens(seconds, all.since() == Counters.Since.BOOT ? STALLED_SECONDS : 1);
                if (now || often) {
                    found.add(m.show(percent, seconds));
                }
            }
            if (m.outweighs(
                    m.get("outbound_pci_buffer_overflow"),
                    LossRules.WORTH_A_WORD,
                    m.received(),
                    "outbound_pci_buffer_overflow",
                    "rx_packets_phy")) {
                found.add(m.show("outbound_pci_buffer_overflow", "rx_packets_phy"));
            }
        }
        return LossRules.join(found);
    }

    private static @Nullable String signal(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            for (String way : List.of("rx", "tx")) {
                String counter = way + "_pci_signal_integrity";
                if (m.happens(counter, all.since() == Counters.Since.BOOT ? TRAINING : 1)) {
                    found.add(m.show(counter));
                }
            }
        }
        return LossRules.join(found);
    }

    private static @Nullable String degraded(Map<String, String> flags) {
        for (String what : List.of("Speed", "Width")) {
            String can = flags.get("LnkCap." + what);
            String is = flags.get("LnkSta." + what);
            if (can != null && is != null && !can.equals(is)) {
                return "LnkSta: " + what + " " + is + " of " + can;
            }
        }
        return null;
    }
}
