package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Marks and notifications that do not do what they are for. */
final class CongestionRules {
    /** Vendors begin to mark at 150 KB (Kmin of NVIDIA's and of the HPCC papers' settings at 100 Gb/s); a queue of half of that is no congestion. */
    private static final long SHORT_QUEUE = 75_000;

    /** Vendors mark every packet from 1.5 MB on (Kmax at 100 Gb/s): a queue of that length is congestion by all accounts. */
    private static final long LONG_QUEUE = 1_500_000;

    /** Fewer marks than one in a hundred packets cost no rate. */
    private static final double MARKED = 0.01;

    static final List<Rule> ALL = List.of(
            Rule.of(
                    "ecn-too-high",
                    "senders are held by pauses, and no packet is marked: ECN is off or its Kmin lies above the PFC"
                            + " threshold, so DCQCN never acts",
                    "Kmin and Kmax well below the XOFF threshold of a port, ECN on in the RoCE queue and at both hosts",
                    CongestionRules::unmarked),
            Rule.of(
                    "paused",
                    "senders are held by pauses: a queue or a receiver on the way is full. Whether packets are marked"
                            + " before that, no counter here says",
                    "read hw_counters of the same port, too (rp_cnp_handled, np_ecn_marked_roce_packets), and what the"
                            + " switch has marked: without marks Kmin lies too high, with them they come too late",
                    CongestionRules::unjudged),
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
                    "late-notifications",
                    "packets are marked, and senders slow down; yet they are held by pauses: notifications come too late"
                            + " or too seldom (a NIC takes long to make one, or it waits in a queue of data), or senders"
                            + " are quick again too soon",
                    "CNPs in a class of their own, strict (cnp_dscp 48, priority 6); a lower Kmin, so that there is time;"
                            + " shorter min_time_between_cnps; longer rpg_time_reset",
                    CongestionRules::late),
            Rule.of(
                    "notifications-ignored",
                    "congestion notifications came, and no reaction point took them: DCQCN is off at the sender",
                    "enable it for the priority (echo 1 > /sys/class/net/eth0/ecn/roce_rp/enable/3)",
                    CongestionRules::ignored));

    private CongestionRules() {}

    /** A switch knows whether it marked; of a host alone its own counters must do. Pauses that a receiver asked for are none of congestion. */
    private static @Nullable String unmarked(Counters all) {
        return marks(all) > 0 ? null : held(all, m -> handled(m) == 0 && tells(all));
    }

    private static @Nullable String unjudged(Counters all) {
        return held(all, m -> !tells(all));
    }

    /** Whether anybody would say so if packets were marked: {@code ethtool -S} alone does not. */
    private static boolean tells(Counters all) {
        return !all.those(m -> m.has("rp_cnp_handled")
                        || m.has("np_ecn_marked_roce_packets")
                        || IntStream.range(0, Machine.CLASSES).anyMatch(c -> m.has("tx_prio" + c + "_ecn_marked")))
                .isEmpty();
    }

    private static @Nullable String late(Counters all) {
        return held(all, m -> handled(m) > 0);
    }

    /** Notifications that a switch has asked for, less those that slow restart makes itself. */
    private static long handled(Machine m) {
        return Math.max(0, m.get("rp_cnp_handled") - m.get("roce_slow_restart_cnps"));
    }

    private static long marks(Counters all) {
        return all.machines().stream()
                .mapToLong(m -> m.classes("tx_prio", "_ecn_marked") + m.get("np_ecn_marked_roce_packets"))
                .sum();
    }

    private static @Nullable String held(Counters all, Predicate<Machine> kind) {
        List<String> found = new ArrayList<>();
        if (!all.those(CongestionRules::asksForPauses).isEmpty()) {
            return null;
        }
        for (Machine m : all.those(x -> x.isHost() && kind.test(x))) {
            String paused = PauseRules.held(all, m, "rx_prio");
            if (paused != null) {
                found.add(m.show(paused, paused + "_duration", "rp_cnp_handled", "np_ecn_marked_roce_packets"));
            }
        }
        return LossRules.join(found);
    }

    private static boolean asksForPauses(Machine m) {
        return m.isHost() && m.classes("tx_prio", "_pause") > 0;
    }

    private static @Nullable String early(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            for (int c = 0; c < Machine.CLASSES; c++) {
                String prio = "tx_prio" + c + "_";
                String queue = prio + "ecn_queue_min";
                if (m.has(queue)
                        && m.get(queue) < SHORT_QUEUE
                        && m.outweighs(
                                m.get(prio + "ecn_marked"), MARKED, m.get(prio + "packets"), prio + "ecn_marked")) {
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

    private static @Nullable String ignored(Counters all) {
        return LossRules.join(
                all
                        .those(m -> m.get("rp_cnp_ignored") > 0 && m.get("rp_cnp_ignored") >= m.get("rp_cnp_handled"))
                        .stream()
                        .map(m -> m.show("rp_cnp_ignored", "rp_cnp_handled"))
                        .toList());
    }
}
