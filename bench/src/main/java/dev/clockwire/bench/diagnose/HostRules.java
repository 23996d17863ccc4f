package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the host around a NIC does to it. */
final class HostRules {
    /** One request in a hundred walks to its page: pages hold fewer than a hundred requests, so they are small, and too many for the cache. */
    private static final double WALKS = 0.01;

    /** A message in ten thousand meets it: P99.99. */
    private static final double TAIL = 1e-4;

    /** A message in a thousand meets it: P99.9. */
    private static final double QUEUED = 1e-3;

    /** A stall of this much is longer than the read that it holds up, and than a refresh of memory, 0.3 us. */
    private static final long LONG_STALL_PS = 500_000;

    /** Interrupts that come later stand for several completions, else they only come later. */
    private static final int JOINED = 2;

    /** So much of what may be locked is pinned that the next buffer of usual size fails. */
    private static final double PINNED = 0.9;

    private static final long KB = 1024;
    private static final String FETCHES = "nic.wqeFetch.fetches";
    private static final String FETCH_WAITS = "nic.wqeFetch.waited";

    /** Bridges and idle functions are often off; storage and network controllers are there to be used. */
    private static final Pattern USED =
            Pattern.compile("\\S+ (Non-Volatile memory|Ethernet|Infiniband|Network) controller.*");

    static final List<Rule> ALL = List.of(
            Rule.of(
                    "bus-master-off",
                    "a device may not send requests (Command.BusMaster is off): it takes commands, and can neither"
                            + " fetch nor answer them",
                    "set bit 2 of the command register (setpci -s BDF COMMAND=0x0006:0x0006), bind the driver again",
                    all -> functions(all, f -> "-".equals(f.get("Control.BusMaster")) ? "Control: BusMaster-" : null)),
            Rule.of(
                    "no-hugepages",
                    "there are no huge pages for DPDK and SPDK to take, or too few",
                    "HUGEMEM=4096 scripts/setup.sh, or hugepages= on the kernel's command line",
                    HostRules::pools),
            Rule.of(
                    "memlock",
                    "memory cannot be pinned: the process may lock less than it wants to register",
                    "ulimit -l unlimited (limits.conf: memlock; systemd: LimitMEMLOCK=infinity), or register less",
                    HostRules::locked),
            Rule.of(
                    "numa",
                    "the NIC is on another NUMA node than the program's core or memory: each access crosses the"
                            + " sockets",
                    "numactl --cpunodebind=N --membind=N with N the NIC's node, or another slot",
                    HostRules::nodes),
            Rule.of(
                    "small-pages",
                    "the IOMMU walks page tables for a large share of the requests: buffers lie in more pages than its"
                            + " translation cache holds",
                    "huge pages for buffers (2 MB: 512 times as long a reach), iommu=pt if the machine runs no guests",
                    all ->
                            LossRules.join(all
                                    .those(m -> m.outweighs(
                                            m.get("iotlb_miss"), WALKS, m.get("iotlb_lookup"), "iotlb_miss"))
                                    .stream()
                                    .map(m -> m.show("iotlb_lookup", "iotlb_hit", "iotlb_miss"))
                                    .toList())),
            Rule.of(
                    "core-not-isolated",
                    "the scheduler takes the core away from a thread that polls: messages wait for the length of a"
                            + " slice",
                    "isolcpus=, nohz_full= and rcu_nocbs= for the polling cores, interrupts elsewhere",
                    all -> LossRules.join(all
                            .those(m -> m.outweighs(
                                    m.get("nonvoluntary_ctxt_switches"),
                                    TAIL,
                                    m.get("tx_packets_phy"),
                                    "nonvoluntary_ctxt_switches"))
                            .stream()
                            .map(m -> m.show("nonvoluntary_ctxt_switches", "tx_packets_phy"))
                            .toList())),
            Rule.of(
                    "interrupt-moderation",
                    "interrupts are held back and join nothing: each completion comes later by the period, for no"
                            + " saving",
                    "ethtool -C eth0 adaptive-rx off rx-usecs 0 rx-frames 0 (ibv_modify_cq for a verbs program's own"
                            + " queues), or poll",
                    HostRules::moderated),
            Rule.of(
                    "host-stall",
                    "all of the host's memory stands still now and then (SMI, a thermal or power event, an uncore"
                            + " change). Only the simulator counts this; on a real machine see turbostat --show SMI and"
                            + " hwlatdetect",
                    "BIOS: no SMI sources, performance profile, C-states off; it is not the NIC's moderation",
                    HostRules::stalls),
            Rule.of(
                    "wqe-fetch",
                    "queue pairs that post at once wait for the engine that reads work requests: all of its reads are"
                            + " in flight. Only the simulator counts this",
                    "spread the posts, BlueFlame and inline data for small messages, a device with more fetches in"
                            + " flight",
                    all -> LossRules.join(
                            all
                                    .those(m -> m.outweighs(m.get(FETCH_WAITS), QUEUED, m.get(FETCHES), FETCH_WAITS))
                                    .stream()
                                    .map(m -> m.show(FETCH_WAITS, FETCHES))
                                    .toList())),
            Rule.of(
                    "completion-order",
                    "completions of one queue come out of order: RC completes in order, so the device (its firmware) is"
                            + " wrong",
                    "update the firmware; meanwhile trust wr_id, not the order",
                    all -> LossRules.each(all, "completions_out_of_order")));

    private HostRules() {}

    /** Looks at controllers; what is wrong with one is said of it, null of one that is well. */
    static @Nullable String functions(Counters all, Function<Map<String, String>, @Nullable String> wrong) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            m.functions().forEach((title, flags) -> {
                String text = USED.matcher(title).matches() ? wrong.apply(flags) : null;
                if (text != null) {
                    found.add((m.name() + " " + title + ": " + text).strip());
                }
            });
        }
        return LossRules.join(found);
    }

    private static @Nullable String pools(Counters all) {
        return all.has(Messages.NO_HUGE_PAGES)
                ? "EAL: " + Messages.NO_HUGE_PAGES
                : all.has(Messages.POOL) ? "Cannot allocate memory: huge pages are used up" : null;
    }

    /** A region that was refused is not among what is pinned: the message says so, or what is pinned already comes near to the limit. */
    private static @Nullable String locked(Counters all) {
        boolean refused = (all.has(Messages.NO_MEMORY) && !all.has(Messages.POOL)) || all.has(Messages.NO_REGION);
        return LossRules.join(all
                .those(m -> m.has("max_locked_memory")
                        && (refused || m.get("VmPin") * KB > PINNED * m.get("max_locked_memory")))
                .stream()
                .map(m -> m.show("max_locked_memory", "VmPin") + (refused ? " reg_mr: Cannot allocate memory" : ""))
                .toList());
    }

    private static @Nullable String nodes(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.those(x -> x.has("numa_node") && x.get("numa_node") >= 0)) {
            for (String bound : List.of("nodebind", "membind")) {
                if (m.has(bound) && m.get(bound) != m.get("numa_node")) {
                    found.add(m.show("numa_node", bound));
                }
            }
        }
        return LossRules.join(found);
    }

    private static @Nullable String moderated(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            boolean held = m.get("rx-usecs") > 0 || m.word("Adaptive RX").startsWith("on");
            long interrupts = m.get("mlx5_comp");
            if (held && interrupts > 0 && m.get("rx_packets_phy") < JOINED * interrupts) {
                found.add(m.show("rx-usecs", "mlx5_comp", "rx_packets_phy"));
            }
        }
        return LossRules.join(found);
    }

    private static @Nullable String stalls(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            long stalls = m.get("root.stalls");
            if (stalls > 0 && m.get("root.stall_wait_ps") >= LONG_STALL_PS) {
                found.add(m.show("root.stalls", "root.stall_wait_ps"));
            }
        }
        return LossRules.join(found);
    }
}
