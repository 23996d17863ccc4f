package dev.clockwire.bench.catalogue;

import dev.clockwire.bench.practice.Figure;
import java.util.List;

/** Losses, timers and notifications: what is sent again, too soon or in vain, and what is heard of too late. */
final class RecoveryScenarios {
    private static final String FABRIC = "fabric run FILE --endpoints hw --counters";
    /** Light hosts say how long they take to make a notification; a NIC's time is its pipeline's. */
    private static final String LIGHT = "fabric run FILE --counters";

    static final List<Scenario> ALL = List.of(
            new Scenario(
                    "pfc-watchdog",
                    "One hung host stops others: the watchdog is slower than the storm",
                    FABRIC,
                    "100",
                    "0.5",
                    Figure.FIRST_FLOW,
                    1.5,
                    "pfc-storm",
                    "SONiC: pfcwd start --action drop --restoration-time 200 PORT 200 (H3C: priority-flow-control"
                            + " deadlock cos 3 interval)",
                    "it cures the others, not the hung host: its frames are thrown away (sonic-swss 4581). Storms here"
                            + " last 4 ms, so the watchdog is as much quicker than a real one"),
            new Scenario(
                    "late-cnp",
                    "Pauses in spite of ECN: a NIC takes long to make a notification",
                    LIGHT,
                    "55",
                    "0",
                    Figure.PAUSES,
                    5,
                    "late-notifications",
                    "a lower Kmin, so that 55 us of line rate fit between it and XOFF; a NIC that is quicker",
                    "55 us are what ns-3-alibabacloud 12 needed to find in a simulator the pauses that its lab had"),
            new Scenario(
                    "cnp-low-priority",
                    "Pauses in spite of ECN: notifications wait behind data",
                    LIGHT,
                    "0",
                    "6",
                    Figure.PAUSES,
                    5,
                    "late-notifications",
                    "echo 48 > /sys/class/net/eth0/ecn/roce_np/cnp_dscp; that code point in a strict class of switches"
                            + " (H3C: qos map-table dot1p-lp, qos sp)",
                    "in the class of the data itself they are late by the length of its queue, which DCQCN keeps short:"
                            + " that is a loss of order, not of rate"),
            new Scenario(
                    "loss-on-the-way",
                    "Retransmissions, and no port knows of a loss",
                    FABRIC,
                    "0.005",
                    "0",
                    Figure.LAST_FLOW,
                    1.3,
                    "loss-on-the-way",
                    "discards of the switches between (display packet-drop interface; show interfaces counters), PFC"
                            + " there, cables",
                    "an optical module or a switch that counts nothing; netem on a host does not do it, as the NIC's"
                            + " packets pass it by (DCPerf 671)"),
            new Scenario(
                    "no-answer",
                    "RETRY_EXC_ERR: the peer is away for longer than all retries",
                    FABRIC,
                    "100000",
                    "150",
                    Figure.FAILED_FLOWS,
                    2,
                    "no-answer",
                    "ibv_modify_qp timeout 14, retry_cnt 7 stand half a second of outage; then connect anew",
                    "nothing comes, so the peer counts no gap: the sender's timeouts are all there is"),
            new Scenario(
                    "timer-too-short",
                    "RETRY_EXC_ERR without a loss: the acknowledge timer is shorter than the way there and back",
                    FABRIC,
                    "8",
                    "500",
                    Figure.FAILED_FLOWS,
                    2,
                    "timer-too-short",
                    "ibv_modify_qp timeout: 4.096 us x 2^n, several times the longest way with its queues; perftest -u",
                    "the peer has all of it, twice (duplicate_request): it is no loss, and no switch counts one"));

    private RecoveryScenarios() {}
}
