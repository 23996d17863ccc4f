package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pauses and marks that do not do what they are for. */
final class CongestionRules {
    /**
     * A pause that is needed again and again is said again after half of its time, 168 us at 100 Gb/s; one that ends by itself is followed by
     * its end. So many pauses for each end: the far end stood still for most of a millisecond.
     */
    private static final int RENEWED = 3;

    /** An incast pauses its senders once or twice before the first notification can be there: that is no more than a pause in a thousand packets. */
    private static final double PAUSED = 1e-3;

    /** Vendors begin to mark at 150 KB (Kmin of NVIDIA's and of the HPCC papers' settings at 100 Gb/s); a queue of half of that is no congestion. */
    private static final long SHORT_QUEUE = 75_000;

    /** Vendors mark every packet from 1.5 MB on (Kmax at 100 Gb/s): a queue of that length is congestion by all accounts. */
    private static final long LONG_QUEUE = 1_500_000;

    /** Fewer marks than one in a hundred packets cost no rate. */
    private static final double MARKED = 0.01;

    static final List<Rule> ALL = List.of(
            Rule.of(
                    "pfc-storm",
                    "the far end of a port pauses it without end: a receiver there stands still (hung host, broken"
                            + " NIC), and the pauses spread to everybody who shares a port with it",
                    "take that NIC down or repair it; a PFC watchdog on the switch contains the storm",
                    CongestionRules::storm),
            Rule.of(
                    "ecn-too-high",
                    "senders are held by pauses, and no packet is marked: ECN is off or its Kmin lies above the PFC"
                            + " threshold, so DCQCN never acts",
                    "Kmin and Kmax well below the XOFF threshold of a port, ECN on in the RoCE queue and at both hosts",
                    CongestionRules::unmarked),
            Rule.of(
                    "ecn-too-low",
                    "packets are marked at queues that are no congestion: senders slow down for nothing, links run"
                            + " empty. Where marks begin only the simulator counts; a real switch tells its settings"
                            + " (display qos wred interface)",
                    "a higher Kmin: a bandwidth-delay product, 150 KB and more at 100 Gb/s",
                    CongestionRules::early),
            Rule.of(
                    "nobody-told",
                    "a long queue stood at a port, and its senders heard nothing of it: the buffer is so large, or the"
                            + " thresholds are so high, that neither a mark nor a pause came",
                    "a lower Kmin first, a smaller alpha or XOFF after that: everything behind the queue waits for it",
                    CongestionRules::untold),
            Rule.of(
                    "slow-receiver",
                    "a NIC pauses its switch now and then: its host does not take data as fast as the line brings them",
                    "PCIe width and speed (lspci LnkSta), huge pages under an IOMMU, relaxed ordering, the NIC's own"
                            + " NUMA node",
                    CongestionRules::slow),
            Rule.of(
                    "notifications-ignored",
                    "congestion notifications came, and no reaction point took them: DCQCN is off at the sender",
                    "enable it for the priority (echo 1 > /sys/class/net/eth0/ecn/roce_rp/enable/3)",
                    CongestionRules::ignored));

    private CongestionRules() {}

    private static @Nullable String storm(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            for (int c = 0; c < Machine.CLASSES; c++) {
                String pauses = "rx_prio" + c + "_pause";
                String ends = pauses + "_transition";
                if (m.has(ends) && m.get(pauses) > (long) RENEWED * (m.get(ends) + 1)) {
                    found.add(m.show(pauses, ends, pauses + "_duration"));
                }
            }
        }
        return LossRules.join(found);
    }

    /** A switch knows whether it marked; of a host alone its own counters must do. Pauses that a receiver asked for are none of congestion. */
    private static @Nullable String unmarked(Counters all) {
        List<String> found = new ArrayList<>();
        boolean receivers = !all.those(CongestionRules::asksForPauses).isEmpty();
        long marks = all.machines().stream()
                .mapToLong(m -> m.classes("tx_prio", "_ecn_marked") + m.get("np_ecn_marked_roce_packets"))
                .sum();
        for (Machine m : all.machines()) {
            boolean held = LossRules.outweighs(m.classes("rx_prio", "_pause"), PAUSED, m.get("tx_packets_phy"));
            if (m.isHost() && held && marks == 0 && !receivers && m.get("rp_cnp_handled") == 0) {
                found.add(m.show(busiest(m, "rx_prio", "_pause"), "rp_cnp_handled", "np_ecn_marked_roce_packets"));
            }
        }
        return LossRules.join(found);
    }

    private static boolean asksForPauses(Machine m) {
        return m.isHost() && m.classes("tx_prio", "_pause") > 0;
    }

    private static String busiest(Machine m, String before, String behind) {
        String best = before + 0 + behind;
        for (int c = 1; c < Machine.CLASSES; c++) {
            String name = before + c + behind;
            best = m.get(name) > m.get(best) ? name : best;
        }
        return best;
    }

    private static @Nullable String early(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            for (int c = 0; c < Machine.CLASSES; c++) {
                String prio = "tx_prio" + c + "_";
                String queue = prio + "ecn_queue_min";
                if (m.has(queue)
                        && m.get(queue) < SHORT_QUEUE
                        && LossRules.outweighs(m.get(prio + "ecn_marked"), MARKED, m.get(prio + "packets"))) {
                    found.add(m.show(prio + "ecn_marked", prio + "packets", queue));
                }
            }
        }
        return LossRules.join(found);
    }

    private static @Nullable String untold(Counters all) {
        List<String> found = new ArrayList<>();
        all.devices().forEach((device, ports) -> {
            for (int c = 0; c < Machine.CLASSES; c++) {
                String prio = "tx_prio" + c + "_";
                long told = ports.stream()
                        .mapToLong(m -> m.get(prio + "ecn_marked") + m.get(prio + "pause"))
                        .sum();
                for (Machine m : ports) {
                    boolean stopped = m.get("rx_prio" + c + "_pause") > 0; // by the far end: the queue is no congestion
                    if (told == 0 && !stopped && m.get(prio + "queue_max") > LONG_QUEUE) {
                        found.add(m.show(prio + "queue_max", prio + "ecn_marked", prio + "pause"));
                    }
                }
            }
        });
        return LossRules.join(found);
    }

    private static @Nullable String slow(Counters all) {
        return storm(all) != null
                ? null
                : LossRules.join(all
                        .those(m -> m.isHost()
                                && LossRules.outweighs(m.classes("tx_prio", "_pause"), PAUSED, m.get("rx_packets_phy")))
                        .stream()
                        .map(m -> m.show(busiest(m, "tx_prio", "_pause"), "rx_packets_phy"))
                        .toList());
    }

    private static @Nullable String ignored(Counters all) {
        return LossRules.join(all.those(m -> m.get("rp_cnp_ignored") > 0 && m.get("rp_cnp_handled") == 0).stream()
                .map(m -> m.show("rp_cnp_ignored", "rp_cnp_handled"))
                .toList());
    }
}
