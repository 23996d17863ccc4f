package dev.clockwire.bench.catalogue;

import dev.clockwire.bench.practice.Figure;
import java.util.List;

/** Faults of hosts and their devices. */
final class HostScenarios {
    private static final String SMALL = "perftest write-lat -s 64 -n 300";

    static final List<Scenario> ALL = List.of(
            new Scenario(
                    "numa-doubling",
                    "Program and NIC on different NUMA nodes",
                    SMALL + " -I 0 --counters=hw-counters,ethtool-s,numa -P host.numa.hop_ns=200",
                    "-P host.numa.nic_node=1",
                    "-P host.numa.nic_node=0",
                    Figure.P50,
                    1.3,
                    "numa",
                    "numactl --cpunodebind=N --membind=N, N from /sys/class/infiniband/mlx5_0/device/numa_node",
                    "one hop of 100 to 200 ns at each access: small messages take half again as long, large ones hardly"
                            + " longer; twice as long is what badly placed storage paths add up to"),
            new Scenario(
                    "cpu-not-isolated",
                    "A polling core that the scheduler takes away",
                    "perftest write-lat -s 64 -n 5000 --counters=hw-counters,ethtool-s,status -P"
                            + " host.sched.tick_ns=1000000 -P host.sched.load=1",
                    "-P host.isolcpus=false",
                    "-P host.isolcpus=true",
                    Figure.P999,
                    10,
                    "core-not-isolated",
                    "isolcpus=, nohz_full=, rcu_nocbs= on the kernel's command line",
                    ""),
            new Scenario(
                    "wqe-fetch-queueing",
                    "Queue pairs that post at once queue for the engine that fetches work requests",
                    "perftest write-bw -s 64 -q 8 --rate 625000 -n 1500 --together 0.02 --cq-mod 1 --profile article-1"
                            + " --counters",
                    "-P nic.wqe.outstanding_fetches=1",
                    "-P nic.wqe.outstanding_fetches=8",
                    Figure.P999,
                    1.5,
                    "wqe-fetch",
                    "a NIC with more fetches in flight; BlueFlame, so that the WQE comes with the doorbell",
                    "article 1 blames the root complex; the queue is in the NIC, and needs queue pairs that post at the"
                            + " same instant"));

    private HostScenarios() {}
}
