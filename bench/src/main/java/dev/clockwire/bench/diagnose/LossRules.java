package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Where packets are lost, and what for. */
final class LossRules {
    /** Go-back-N sends some 50 packets again for each one that is lost: a loss in 10,000 costs half a per cent of the rate. */
    private static final double WORTH_A_WORD = 1e-4;

    /** Each wait for a receive takes 10 us and more, the time of hundreds of packets: one in a thousand costs a tenth of the rate. */
    private static final double WAITS = 1e-3;

    /** IEEE 802.3 allows one wrong bit in 10^12: a link that keeps to that damages 3 of 10^8 frames of 4 KB. */
    private static final double WRONG_FRAMES = 1e-12 * 8 * 4178;

    private static final String FILTERED = "ingress_policy_engine";

    static final List<Rule> ALL = List.of(
            Rule.of(
                    "pfc-off",
                    "a port lost packets of a class for which it never paused the sender: PFC is off for this class",
                    "enable PFC for the class on switch and NIC alike (priority-flow-control no-drop dot1p 3;"
                            + " mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0)",
                    all -> discards(all, false)),
            Rule.of(
                    "pfc-headroom",
                    "a port lost packets of a class although it paused the sender: the pause came too late, headroom"
                            + " is too small for the cable or XOFF lies too high",
                    "more headroom (what is under way on the cable, a frame and the sender's reaction) or a lower XOFF"
                            + " threshold",
                    all -> discards(all, true)),
            Rule.of(
                    "receive-buffer",
                    "the NIC's receive buffer overflowed: XOFF leaves no room for what is still under way, or there is"
                            + " no PFC at all",
                    "a lower XOFF threshold or a larger buffer of the priority (mlnx_qos --buffer_size), PFC on, a"
                            + " receiver that keeps up",
                    LossRules::overflows),
            Rule.of(
                    "mtu-mismatch",
                    "a port dropped frames that are longer than its MTU: the two ends, or the switch between them, do"
                            + " not agree on it",
                    "the same MTU on all ports of the way, at least path MTU + 82 (ip link set eth0 mtu 4200 for 4096)",
                    all -> each(all, "rx_oversize_pkts_phy")),
            Rule.of(
                    "filtered",
                    "a packet filter of a switch dropped frames: RoCE v2 is UDP to port 4791 and passes no filter that"
                            + " does not name it",
                    "permit UDP destination port 4791 in the switch's ACL; iptables of the hosts never see RDMA"
                            + " packets",
                    all -> each(all, FILTERED)),
            Rule.of(
                    "roce-version",
                    "packets of the other RoCE version came in: one end uses a GID of RoCE v1 (EtherType 0x8915), the"
                            + " other one of v2 (UDP 4791). NICs drop them without a counter; here the simulator shows"
                            + " it, on a real machine tcpdump 'ether proto 0x8915' does",
                    "GIDs of the same type at both ends (show_gids; cma_roce_mode -m 2; perftest -x)",
                    all -> each(all, "rx_roce_version_errors")),
            Rule.of(
                    "receive-starvation",
                    "requests found no receive work request posted: the receiver answers RNR NAK, and senders wait;"
                            + " this is no congestion",
                    "post more receives (deeper receive queue or SRQ), refill them sooner; a short min_rnr_timer (0"
                            + " means 655 ms)",
                    LossRules::starved),
            Rule.of(
                    "damaged-frames",
                    "frames came in with a wrong frame check sequence: the cable, a transceiver or the far port damages"
                            + " them, and each one is lost",
                    "clean or replace cable and transceivers; mlxlink -d mlx5_0 -c -e shows the errors of the line",
                    LossRules::damaged),
            Rule.of(
                    "damaged-packets",
                    "packets came in with a wrong ICRC: something on the way damages them behind the frame check"
                            + " sequence",
                    "replace cable, transceiver or the switch that damages frames in its memory",
                    all -> each(all, "rx_icrc_encapsulated")));

    static final List<Rule> LAST = List.of(
            Rule.otherwise(
                    "loss-on-the-way",
                    "packets are lost or overtaken between the ports, and none of these ports was paused or dropped"
                            + " anything",
                    "look at the switches' discard counters (display packet-drop interface), at PFC there, at cables",
                    LossRules::losses),
            Rule.otherwise(
                    "no-answer",
                    "the peer did not answer until all retries were used up, and nothing else is known of why",
                    "is the peer alive, is its address right, does UDP 4791 pass, are MTU and RoCE version the same?",
                    all -> each(all, "req_transport_retries_exceeded", "local_ack_timeout_err")));

    private LossRules() {}

    /** Shows counters of each machine that has the first of them. */
    static @Nullable String each(Counters all, String... names) {
        return join(all.those(m -> m.get(names[0]) > 0).stream()
                .map(m -> m.show(names))
                .toList());
    }

    private static @Nullable String damaged(Counters all) {
        return join(
                all.those(m -> outweighs(m.get("rx_crc_errors_phy"), WRONG_FRAMES, m.get("rx_packets_phy"))).stream()
                        .map(m -> m.show("rx_crc_errors_phy", "rx_packets_phy"))
                        .toList());
    }

    private static @Nullable String overflows(Counters all) {
        return join(all.those(m -> outweighs(m.get("rx_discards_phy"), WORTH_A_WORD, m.get("rx_packets_phy"))).stream()
                .map(m -> m.show("rx_discards_phy", "rx_packets_phy") + " tx pauses=" + m.classes("tx_prio", "_pause"))
                .toList());
    }

    static @Nullable String join(List<String> parts) {
        return parts.isEmpty() ? null : String.join("; ", parts);
    }

    private static long sum(List<Machine> ports, ToLongFunction<Machine> of) {
        return ports.stream().mapToLong(of).sum();
    }

    /** Whether a class was paused is a matter of the whole device: its ports share the buffer. */
    private static @Nullable String discards(Counters all, boolean paused) {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, List<Machine>> device : all.devices().entrySet()) {
            for (int c = 0; c < Machine.CLASSES; c++) {
                String lost = "rx_prio" + c + "_discards";
                String told = "tx_prio" + c + "_pause";
                long discards = sum(device.getValue(), m -> m.get(lost));
                long pauses = sum(device.getValue(), m -> m.get(told));
                if (discards > 0 && pauses > 0 == paused) {
                    found.add((device.getKey() + " " + lost + "=" + discards + " " + told + "=" + pauses).strip());
                }
            }
        }
        return join(found);
    }

    /** Whether a count is worth a word beside another one, which may be unknown. */
    static boolean outweighs(long count, double share, long of) {
        return count > 0 && count >= share * of;
    }

    private static @Nullable String starved(Counters all) {
        return join(all
                .those(m -> outweighs(
                        Math.max(m.get("out_of_buffer"), m.get("rnr_nak_retry_err")),
                        WAITS,
                        Math.max(m.get("tx_packets_phy"), m.get("rx_packets_phy"))))
                .stream()
                .map(m -> m.show("out_of_buffer", "rnr_nak_retry_err"))
                .toList());
    }

    private static @Nullable String losses(Counters all) {
        return join(all
                .those(m -> outweighs(
                        Math.max(m.get("out_of_sequence"), m.get("packet_seq_err") + m.get("implied_nak_seq_err")),
                        WORTH_A_WORD,
                        m.get("rx_packets_phy")))
                .stream()
                .map(m -> m.show("out_of_sequence", "packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err"))
                .toList());
    }
}
