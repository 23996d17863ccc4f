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
                            + " same instant"),
            new Scenario(
                    "link-degraded",
                    "A card of 16 lanes of which 4 have trained",
                    "perftest write-bw -s 65536 -n 100 --payload sizes --counters=hw-counters,ethtool-s,lspci"
                            + " -P pcie.lanes_supported=16",
                    "-P pcie.lanes=4",
                    "-P pcie.lanes=16",
                    Figure.BANDWIDTH,
                    2,
                    "link-degraded",
                    "seat the card anew, clean its contacts, another slot; BIOS: bifurcation of the slot",
                    "lspci -vvv as root says \"downgraded\"; dmesg has \"available PCIe bandwidth, limited by\" when the driver"
                            + " is loaded"),
            new Scenario(
                    "no-hugepages",
                    "Buffers in small pages under an IOMMU",
                    "perftest write-bw --profile cx6-200g -s 65536 -q 16 -n 40 --payload sizes"
                            + " --counters=hw-counters,ethtool-s,iommu -P host.iommu.enabled=true -P host.iommu.walkers=2"
                            + " -P host.iommu.walk_ns=380",
                    "-P host.huge_pages=never",
                    "-P host.huge_pages=2M",
                    Figure.BANDWIDTH,
                    1.1,
                    "small-pages",
                    "huge pages for buffers: hugepages= on the kernel's command line, hugetlbfs or MAP_HUGETLB",
                    "transparent huge pages help buffers of more than 2 MB; to switch them off, as article 1's"
                            + " checklist has it, is about pauses of khugepaged, not about DMA"),
            new Scenario(
                    "spdk-no-hugepages",
                    "A target that does not start: EAL has no huge pages, or pools want more",
                    "nvmf target",
                    "-s 64",
                    "-s 2048",
                    Figure.FAILED,
                    2,
                    "no-hugepages",
                    "HUGEMEM=4096 scripts/setup.sh, and nvmf_tgt -s for its share",
                    "HUGEMEM is read by setup.sh, not by nvmf_tgt, as article 2's command line has it"),
            new Scenario(
                    "reg-mr-failure",
                    "ibv_reg_mr: Cannot allocate memory",
                    "perftest write-bw -s 1048576 -n 20 --payload sizes --counters",
                    "-P host.memlock_kbytes=64",
                    "-P host.memlock_kbytes=0",
                    Figure.FAILED,
                    2,
                    "memlock",
                    "ulimit -l unlimited; limits.conf: * - memlock unlimited; systemd: LimitMEMLOCK=infinity",
                    "memory need not lie in one piece: scattered pages are what the NIC's translation table is for."
                            + " There is no /sys/class/infiniband/mlx5_0/limits; max_mr is in ibv_devinfo -v"),
            new Scenario(
                    "tail-interrupt-moderation",
                    "Every answer comes late: interrupts wait for company",
                    "perftest send-lat -s 64 -n 300 --event --counters=hw-counters,ethtool-s,ethtool-c,interrupts",
                    "--cq_count 16 --cq_period 50",
                    "--cq_count 0",
                    Figure.P50,
                    3,
                    "interrupt-moderation",
                    "ibv_modify_cq of the program's queues (ethtool -C rx-usecs 0 for those of the network interface),"
                            + " or poll",
                    "adaptive-rx off alone leaves rx-usecs as it is; a spike each 5 s is not of this kind: the register"
                            + " holds interrupts for 65 ms at most"),
            new Scenario(
                    "tail-host-stall",
                    "A spike at regular intervals: the whole host stands still",
                    "perftest write-lat -s 64 -n 5000 --counters -P host.stall.period_ns=1000000"
                            + " -P host.stall.duration_ns=20000",
                    "-P host.stall.probability=1",
                    "-P host.stall.probability=0",
                    Figure.P999,
                    5,
                    "host-stall",
                    "find the source: turbostat --show SMI, hwlatdetect; BIOS settings",
                    "article 1's spike each 5 s: nothing in the NIC has such a period, and polling instead of"
                            + " interrupts changes nothing. Here it comes each millisecond"),
            new Scenario(
                    "rnr-receive-starvation",
                    "It looks like congestion: a receiver that posts too few receives",
                    "perftest send-bw -s 4096 -n 500 --event --counters",
                    "-r 16",
                    "-r 512",
                    Figure.BANDWIDTH,
                    2,
                    "receive-starvation",
                    "a deeper receive queue, filled again before it is empty; rnr_retry 7 waits for ever and hides it",
                    "taken for missing ECN in sonic-buildimage 21891, for a slow network in daqiri 138"),
            new Scenario(
                    "srq-starvation",
                    "Queue pairs starve together: the receive queue that they share runs empty",
                    "perftest send-bw -s 4096 -n 200 -q 8 --event --use-srq --counters",
                    "-r 16",
                    "-r 512",
                    Figure.BANDWIDTH,
                    2,
                    "receive-starvation",
                    "a deeper shared queue (SPDK: nvmf_create_transport -s), refilled when its limit event comes"
                            + " (ibv_modify_srq IBV_SRQ_LIMIT), which is before it is empty",
                    "one queue pair that takes receives and gives none back is enough (spdk 2180, Ceph 16258); receives"
                            + " of each queue pair's own (--no-srq) keep it from the others"),
            new Scenario(
                    "cqe-out-of-order-firmware",
                    "Completions in another order than the work requests",
                    "perftest write-bw -s 64 -n 1000 -t 16 --cq-mod 1 --counters --faults FILE",
                    "0.05",
                    "0",
                    Figure.OUT_OF_ORDER,
                    2,
                    "completion-order",
                    "newer firmware (mlxfwmanager); until then free by wr_id, never by position",
                    "no counter of a real NIC shows it; the program must look"),
            new Scenario(
                    "ssd-bus-master-off",
                    "An SSD that cannot be attached",
                    "nvmf perf --local -q 8 -o 4096 -w randread -t 0.001 --lspci",
                    "--setpci COMMAND=0x0102",
                    "--setpci COMMAND=0x0106",
                    Figure.FAILED,
                    2,
                    "bus-master-off",
                    "setpci -s BDF COMMAND=0x0006:0x0006; scripts/setup.sh, which binds vfio-pci",
                    "vfio needs no IOMMU to find an SSD (no-IOMMU mode, uio_pci_generic). setpci COMMAND=0x0100 of"
                            + " article 2, meant to allow relaxed ordering, is what makes such a device"));

    private HostScenarios() {}
}
