package dev.clockwire.bench.catalogue;

import dev.clockwire.bench.practice.Figure;
import java.util.List;

/** Faults of networks. */
final class NetworkScenarios {
    private static final String FABRIC = "fabric run FILE --endpoints hw --counters";
    /** Light hosts have a reaction point whose alpha has the places of the published simulators. */
    private static final String LIGHT = "fabric run FILE --counters";

    private static final String VENDOR_MARKS = "{kmin_kb: 150, kmax_kb: 1500, pmax: 0.2}";

    static final List<Scenario> ALL = List.of(
            new Scenario(
                    "retry-exc-pfc-off",
                    "RETRY_EXC_ERR: a switch loses packets, for PFC is off",
                    FABRIC,
                    "[]",
                    "[3]",
                    Figure.FAILED_FLOWS,
                    2,
                    "pfc-off",
                    "H3C: priority-flow-control enable and no-drop dot1p 3 on the ports; hosts: mlnx_qos -i eth0 --pfc"
                            + " 0,0,0,1,0,0,0,0",
                    "iperf3 does not show it, as TCP repeats in silence; a higher ECN threshold makes it worse. The"
                            + " error is a completion's status, not an answer of ibv_post_send"),
            new Scenario(
                    "retry-exc-mtu-mismatch",
                    "RETRY_EXC_ERR: a switch whose MTU is smaller than the hosts' packets",
                    FABRIC,
                    "1500",
                    "9216",
                    Figure.FAILED_FLOWS,
                    2,
                    "mtu-mismatch",
                    "the same MTU everywhere, 4200 at least for a path MTU of 4096 (switch: jumboframe enable 9216)",
                    "an MTU of 4096 on the interface gives a path MTU of 2048, for headers count too. Pings of 64 B"
                            + " pass"),
            new Scenario(
                    "retry-exc-udp4791-filtered",
                    "RETRY_EXC_ERR: a packet filter that does not know RoCE",
                    FABRIC,
                    "[4791]",
                    "[]",
                    Figure.FAILED_FLOWS,
                    2,
                    "filtered",
                    "permit UDP destination port 4791 in the switch's ACL",
                    "iptables and firewalld of the hosts do not see what the NIC sends by itself: switching them off"
                            + " cures nothing"),
            new Scenario(
                    "roce-version-mismatch",
                    "RETRY_EXC_ERR: one end speaks RoCE v1, the other v2",
                    FABRIC,
                    "v1",
                    "v2",
                    Figure.FAILED_FLOWS,
                    2,
                    "roce-version",
                    "a GID index of RoCE v2 at both ends (show_gids; perftest -x 3; cma_roce_mode -d mlx5_0 -p 1 -m 2)",
                    "ROCE_NEXT_PROTOCOL of mlxconfig has nothing to do with it: leave it at 254"),
            new Scenario(
                    "iops-drop-pfc-threshold",
                    "The rate falls and the tail grows: the NIC pauses too late and loses packets",
                    FABRIC + " -P pcie.generation=3 -P pcie.lanes=8 -P nic.rx.buffer_bytes=262144"
                            + " -P nic.pause.xon_bytes=65536 -P nic.pause.xoff_bytes=VALUE",
                    "262000",
                    "98304",
                    Figure.LAST_FLOW,
                    1.5,
                    "receive-buffer",
                    "a lower XOFF threshold (mlnx_qos --buffer_size for more room behind it): what is under way must"
                            + " fit behind XOFF",
                    "a higher max-threshold, as article 2 says, is the fault itself"),
            new Scenario(
                    "ecn-too-low",
                    "Links run empty: the switch marks too early",
                    LIGHT,
                    "{kmin_kb: 1, kmax_kb: 2, pmax: 1}",
                    "{kmin_kb: 400, kmax_kb: 1600, pmax: 0.2}",
                    Figure.LAST_FLOW,
                    1.5,
                    "ecn-too-low",
                    "Kmin of a bandwidth-delay product and more (H3C: qos wred queue 3 low-limit, ecn)",
                    "it costs throughput; it causes no RETRY_EXC_ERR, as article 1 says"),
            new Scenario(
                    "ecn-too-high",
                    "Pauses everywhere: the switch marks above its PFC threshold",
                    LIGHT,
                    "{kmin_kb: 1600, kmax_kb: 3200, pmax: 0.2}",
                    "{kmin_kb: 400, kmax_kb: 1600, pmax: 0.2}",
                    Figure.PAUSES,
                    10,
                    "ecn-too-high",
                    "Kmin and Kmax below the XOFF threshold",
                    ""),
            new Scenario(
                    "pfc-storm",
                    "One hung host stops others: a NIC that pauses without end",
                    FABRIC,
                    "[{pause: host2, at_event: request, for_us: 4000}]",
                    "[]",
                    Figure.FIRST_FLOW,
                    1.5,
                    "pfc-storm",
                    "reboot the host or take its port down; a PFC watchdog (SONiC: pfcwd start) ends such storms by"
                            + " itself",
                    ""),
            new Scenario(
                    "pfc-headroom",
                    "Packets of a lossless class are lost although PFC works",
                    FABRIC,
                    "10000",
                    "100000",
                    Figure.LAST_FLOW,
                    1.1,
                    "pfc-headroom",
                    "headroom for both ways of the cable, the frames begun at both ends and the sender's reaction",
                    "reported of simulators and switches alike (HPCC 15 and 53, ns3-rdma 28)"),
            new Scenario(
                    "buffer-too-large",
                    "A small message waits for milliseconds, and nobody is paused or marked",
                    FABRIC,
                    "{kmin_kb: 20000, kmax_kb: 30000, pmax: 0.2}",
                    VENDOR_MARKS,
                    Figure.FIRST_FLOW,
                    1.2,
                    "nobody-told",
                    "a Kmin below the queue that a message may wait behind",
                    "a large buffer hides congestion from PFC (HPCC 14): its threshold is a share of what is free"),
            new Scenario(
                    "dcqcn-one-sided",
                    "One sender takes the others' share: it does not react to notifications",
                    FABRIC,
                    "off",
                    "vendor",
                    Figure.FIRST_FLOW,
                    1.2,
                    "notifications-ignored",
                    "echo 1 > /sys/class/net/eth0/ecn/roce_rp/enable/3 at the sender",
                    ""),
            new Scenario(
                    "slow-receiver",
                    "A receiver that does not keep up with its line",
                    FABRIC,
                    "4",
                    "16",
                    Figure.GOODPUT,
                    1.5,
                    "slow-receiver",
                    "a slot of full width (lspci -vvv: LnkSta), no IOMMU walks, relaxed ordering",
                    ""),
            new Scenario(
                    "damaged-packets",
                    "Retransmissions without congestion: something damages packets",
                    "perftest write-bw -s 4096 -n 2000 --counters --faults FILE",
                    "0.01",
                    "0",
                    Figure.BANDWIDTH,
                    1.1,
                    "damaged-packets",
                    "replace what damages them: mlxlink for cables, the switch if only the ICRC tells",
                    ""));

    private NetworkScenarios() {}
}
