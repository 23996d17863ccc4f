package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who pauses whom, and for how long. Where it is known how long, that counts; else how often. */
final class PauseRules {
    /**
     * A pause that is needed again and again is said again after half of its time, 168 us at 100 Gb/s; one that ends by itself is followed by
     * its end. So many pauses for each end: the far end stood still for most of a millisecond.
     */
    private static final int RENEWED = 3;

    /** The same as a time: what is renewed so often at 100 Gb/s has lasted so long, at any rate. */
    private static final double STOOD_US = 500;

    /** An incast pauses its senders once or twice before the first notification can be there: that is no more than a pause in a thousand packets. */
    private static final double PAUSED = 1e-3;

    /** A line that stands still for a hundredth of the time loses no more than a hundredth of its rate. */
    private static final double STILL = 0.01;

    private static final double US_PER_S = 1e6;

    static final List<Rule> ALL = List.of(
            Rule.of(
                    "pfc-storm",
                    "the far end of a port pauses it without end: a receiver there stands still (hung host, broken"
                            + " NIC), and the pauses spread to everybody who shares a port with it",
                    "take that NIC down or repair it; a PFC watchdog on the switch contains the storm",
                    all -> LossRules.join(storms(all, false))),
            Rule.of(
                    "pfc-storm-contained",
                    "the far end of a port pauses it without end, and the switch's watchdog has cut it off: others are"
                            + " well, it is not",
                    "take that NIC down or repair it (pfcwd show stats names its queue)",
                    all -> LossRules.join(storms(all, true))),
            Rule.of(
                    "nic-stalled",
                    "this NIC has paused its switch for so long that it gave it up and drops packets: its own host takes"
                            + " no data",
                    "the host's memory, PCIe and receive queues; mlnx_qos and pfc_stall_prevention say after which time"
                            + " it gives up (8 s, auto 100 ms)",
                    PauseRules::gaveUp),
            Rule.of(
                    "slow-receiver",
                    "a NIC pauses its switch now and then: its host does not take data as fast as the line brings them",
                    "PCIe width and speed (lspci LnkSta), huge pages under an IOMMU, relaxed ordering, the NIC's own"
                            + " NUMA node",
                    PauseRules::slow),
            Rule.of(
                    "global-pause",
                    "the whole line is paused, not a class: everything stands still with it, and no drop counter"
                            + " shows it",
                    "PFC for the RoCE class in its place (ethtool -A eth0 rx off tx off; mlnx_qos -i eth0 --pfc"
                            + " 0,0,0,1,0,0,0,0)",
                    PauseRules::wholeLine));

    private PauseRules() {}

    private static List<String> storms(Counters all, boolean contained) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            String watchdog = "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED";
            if (m.get(watchdog) > 0) {
                if (contained) {
                    found.add(m.show(watchdog, "PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED"));
                }
                continue;
            }
            for (int c = 0; c < Machine.CLASSES && !contained; c++) {
                String pauses = "rx_prio" + c + "_pause";
                String ends = pauses + "_transition";
                String time = pauses + "_duration";
                long each = m.get(ends) + 1;
                boolean renewed = m.has(ends) && m.get(pauses) > RENEWED * each;
                if (renewed && (!m.has(time) || m.get(time) >= STOOD_US * each)) {
                    found.add(m.show(pauses, ends, time));
                }
            }
        }
        return found;
    }

    private static @Nullable String gaveUp(Counters all) {
        return LossRules.join(all.those(m -> m.get("tx_pause_storm_error_events") > 0).stream()
                .map(m -> m.show("tx_pause_storm_error_events", "tx_pause_storm_warning_events"))
                .toList());
    }

    private static @Nullable String slow(Counters all) {
        if (!storms(all, false).isEmpty() || !storms(all, true).isEmpty()) {
            return null;
        }
        List<String> found = new ArrayList<>();
        for (Machine m : all.those(Machine::isHost)) {
            String held = held(all, m, "tx_prio");
            if (held != null) {
                found.add(m.show(held, held + "_duration", "rx_packets_phy"));
            }
        }
        return LossRules.join(found);
    }

    /**
     * Returns the class whose pauses are worth a word, null without one.
     *
     * @param way {@code rx_prio}: others pause this port; {@code tx_prio}: it pauses others
     * @return such as {@code rx_prio3_pause}
     */
    static @Nullable String held(Counters all, Machine m, String way) {
        String busiest = null;
        for (int c = 0; c < Machine.CLASSES; c++) {
            String name = way + c + "_pause";
            if (m.get(name) > 0 && (busiest == null || m.get(name) > m.get(busiest))) {
                busiest = name;
            }
        }
        return busiest != null && isHeld(all, m, busiest) ? busiest : null;
    }

    private static boolean isHeld(Counters all, Machine m, String pauses) {
        String time = pauses + "_duration";
        if (all.seconds() > 0 && m.has(time)) {
            return m.lasts(m.get(time) / US_PER_S, STILL, all.seconds(), pauses, time);
        }
        long packets = pauses.startsWith("rx") ? m.sent() : m.received();
        return m.outweighs(m.get(pauses), PAUSED, packets, pauses);
    }

    private static @Nullable String wholeLine(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            String name = "rx_global_pause";
            if (m.get(name) > 0 && isHeld(all, m, name)) {
                found.add(m.show(name, name + "_duration"));
            }
        }
        return LossRules.join(found);
    }
}
