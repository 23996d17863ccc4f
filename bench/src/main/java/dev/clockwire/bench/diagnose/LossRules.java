package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Where packets are lost, and what for. */
final class LossRules {
    /** Go-back-N sends some 50 packets again for each one that is lost: a loss in 10,000 costs half a per cent of the rate. */
    static final double WORTH_A_WORD = 1e-4;

    /** Each wait for a receive takes 10 us and more, the time of hundreds of packets: one in a thousand costs a tenth of the rate. */
    private static final double WAITS = 1e-3;

    /** Each of them ends a queue pair; none comes from a line. */
    private static final List<String> REFUSALS = List.of(
            "req_remote_access_errors",
            "resp_remote_access_errors",
            "req_remote_invalid_request",
            "resp_local_length_error");

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
                    "ring-empty",
                    "packets of the kernel's network interface found no buffer in its receive ring: this is TCP and"
                            + " what else goes that way, not RDMA",
                    "a longer ring (ethtool -G eth0 rx 8192), more channels (ethtool -L), cores that are free for it",
                    LossRules::ringEmpty),
            Rule.of(
                    "refused-requests",
                    "requests were refused, or did not fit: a wrong key, address, right or length. That is a program's"
                            + " mistake or a region that was released too soon, never the network",
                    "look up the queue pair and address of the error completion; keep regions until all of their"
                            + " requests are complete",
                    LossRules::refused));

    static final List<Rule> LAST = List.of(
            Rule.otherwise(
                    "loss-on-the-way",
                    "packets are lost or overtaken between the ports, and none of these ports was paused or dropped"
                            + " anything",
                    "look at the switches' discard counters (display packet-drop interface), at PFC there, at cables",
                    LossRules::losses),
            Rule.otherwise(
                    "timer-too-short",
                    "requests are sent again that have come already: the acknowledge timer ends before an answer can be"
                            + " there, or answers are lost on their way back",
                    "a longer timeout (ibv_modify_qp timeout: 4.096 us x 2^n; 14 is 67 ms, perftest -u 14), then look for"
                            + " losses on the way back",
                    LossRules::repeated),
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

    private static @Nullable String overflows(Counters all) {
        return join(all
                .those(m -> m.outweighs(
                        m.get("rx_discards_phy"), WORTH_A_WORD, m.received(), "rx_discards_phy", "rx_packets_phy"))
                .stream()
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
            long thrown =
                    sum(device.getValue(), m -> m.get("PFC_WD_QUEUE_STATS_TX_DROPPED_PACKETS")); // by the watchdog
            for (int c = 0; c < Machine.CLASSES; c++) {
                String lost = "rx_prio" + c + "_discards";
                String told = "tx_prio" + c + "_pause";
                long discards = sum(device.getValue(), m -> m.get(lost));
                long pauses = sum(device.getValue(), m -> m.get(told));
                if (discards > thrown && pauses > 0 == paused) {
                    found.add((device.getKey() + " " + lost + "=" + discards + " " + told + "=" + pauses).strip());
                }
            }
        }
        return join(found);
    }

    private static @Nullable String starved(Counters all) {
        return join(all
                .those(m -> m.outweighs(
                        Math.max(m.get("out_of_buffer"), m.get("rnr_nak_retry_err")),
                        WAITS,
                        Math.max(m.sent(), m.received()),
                        "out_of_buffer",
                        "rnr_nak_retry_err"))
                .stream()
                .map(m -> m.show("out_of_buffer", "rnr_nak_retry_err"))
                .toList());
    }

    private static @Nullable String ringEmpty(Counters all) {
        return join(all
                .those(m -> m.outweighs(
                        m.get("rx_out_of_buffer"), WORTH_A_WORD, m.received(), "rx_out_of_buffer", "rx_packets_phy"))
                .stream()
                .map(m -> m.show("rx_out_of_buffer", "rx_packets_phy"))
                .toList());
    }

    /** What has come is asked for again: its acknowledgements are late or lost, not the requests. */
    private static @Nullable String repeated(Counters all) {
        boolean timeouts = all.sum("local_ack_timeout_err") > 0;
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            boolean again = m.outweighs(
                    m.get("duplicate_request"), WORTH_A_WORD, m.received(), "duplicate_request", "rx_packets_phy");
            if (timeouts && again && m.get("out_of_sequence") == 0) {
                found.add(m.show("duplicate_request", "out_of_sequence", "rx_packets_phy"));
            }
        }
        if (!found.isEmpty()) {
            all.those(m -> m.get("local_ack_timeout_err") > 0).forEach(m -> found.add(m.show("local_ack_timeout_err")));
        }
        return join(found);
    }

    private static @Nullable String refused(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            if (REFUSALS.stream().mapToLong(m::get).sum() > 0) {
                found.add(m.showSome(REFUSALS.toArray(String[]::new)));
            }
        }
        return join(found);
    }

    private static @Nullable String losses(Counters all) {
        return join(all
                .those(m -> m.outweighs(
                        Math.max(
                                m.get("out_of_sequence"),
                                m.get("packet_seq_err") + m.get("implied_nak_seq_err") + m.get("roce_adp_retrans")),
                        WORTH_A_WORD,
                        m.received(),
                        "out_of_sequence",
                        "packet_seq_err",
                        "implied_nak_seq_err",
                        "roce_adp_retrans"))
                .stream()
                .map(m -> m.showSome(
                        "out_of_sequence",
                        "packet_seq_err",
                        "implied_nak_seq_err",
                        "roce_adp_retrans",
                        "local_ack_timeout_err"))
                .toList());
    }
}
