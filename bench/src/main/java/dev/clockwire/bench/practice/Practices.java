package dev.clockwire.bench.practice;

import java.util.List;

/** The catalogue. */
public final class Practices {
    private static final String SMALL = "perftest write-lat -s 64 -n 300";
    private static final String STREAM = "perftest write-bw -s 64 -n 2000";
    private static final String LARGE = "perftest write-bw -s 65536 -n 400 --payload sizes";

    private static final List<Practice> ALL = List.of(
            new Practice(
                    "blueflame-small",
                    "BlueFlame for messages up to 64 B",
                    "perftest write-lat -s 32 -I 32 -n 300",
                    "-P nic.blueflame=false",
                    "-P nic.blueflame=true",
                    Figure.P50,
                    1.15,
                    "the WQE of 64 B comes with the doorbell, so the NIC need not read it from host memory"),
            new Practice(
                    "blueflame-large",
                    "BlueFlame for large messages",
                    "perftest write-lat -s 262144 -n 60 --payload sizes",
                    "-P nic.blueflame=false",
                    "-P nic.blueflame=true",
                    Figure.P50,
                    0.9,
                    "one WQE read in front of a whole payload hardly counts: the gain of BlueFlame is a constant"),
            new Practice(
                    "inline-small",
                    "Small messages inside the work request",
                    SMALL,
                    "-I 0",
                    "-I 64",
                    Figure.P50,
                    1.2,
                    "the payload comes with the WQE, so the NIC need not read it from host memory"),
            new Practice(
                    "poll-not-interrupt",
                    "Poll completion queues instead of waiting for interrupts",
                    SMALL,
                    "--event",
                    "",
                    Figure.P50,
                    1.5,
                    "an interrupt and the wake-up of a sleeping thread lie in front of every message"),
            new Practice(
                    "queue-pairs-few",
                    "One queue pair does not fill the NIC with small messages",
                    STREAM + " -l 16",
                    "-q 1",
                    "-q 4",
                    Figure.RATE,
                    1.3,
                    "a queue pair's WQEs start one after the other (nic.qp.wqe_interval_cycles); others go on"
                            + " meanwhile"),
            new Practice(
                    "queue-pairs-many",
                    "No more queue pairs than the NIC has contexts on the chip",
                    "perftest write-bw -s 64 -n 100 -t 4 -P nic.cache.qpc_entries=16",
                    "-q 64",
                    "-q 8",
                    Figure.P50,
                    1.2,
                    "a context that is not on the chip is read from host memory before the message can go on"),
            new Practice(
                    "post-list",
                    "One doorbell for several work requests",
                    STREAM + " -q 4",
                    "-l 1",
                    "-l 16",
                    Figure.RATE,
                    1.3,
                    "record, barrier and store are paid once for the whole list"),
            new Practice(
                    "signal-few",
                    "A completion for many sends, not for each",
                    STREAM + " -q 4 -l 16",
                    "--cq-mod 1",
                    "--cq-mod 64",
                    Figure.RATE,
                    1.05,
                    "each completion is a CQE to write and to consume"),
            new Practice(
                    "mtu-4096",
                    "The largest path MTU",
                    LARGE + " -q 2",
                    "-m 1024",
                    "-m 4096",
                    Figure.BANDWIDTH,
                    1.04,
                    "82 B of headers and gaps are paid for each packet: MTU / (MTU + 82)"),
            new Practice(
                    "payload-reads-outstanding",
                    "Enough PCIe reads in flight",
                    "perftest write-bw -s 65536 -n 100 --payload sizes --profile article-1 -q 4",
                    "-P nic.dma.payload_outstanding_reads=1",
                    "-P nic.dma.payload_outstanding_reads=16",
                    Figure.BANDWIDTH,
                    1.2,
                    "each read of 4 KB waits for a round trip to memory; several overlap"),
            new Practice(
                    "pcie-payload-size",
                    "The largest PCIe payload that the path takes",
                    LARGE + " -q 4 -P pcie.generation=4",
                    "-P pcie.mps=128",
                    "-P pcie.mps=512",
                    Figure.BANDWIDTH,
                    1.08,
                    "24 B of TLP header and framing are paid for each payload: 128 B a TLP leaves 210 of 252 Gb/s"),
            new Practice(
                    "numa-affinity",
                    "Threads and memory on the NIC's NUMA node",
                    SMALL,
                    "-P host.numa.nic_node=1",
                    "-P host.numa.nic_node=0",
                    Figure.P50,
                    1.2,
                    "the doorbell to the NIC and the NIC's write to memory cross to the other socket, 100 ns each"),
            new Practice(
                    "huge-pages",
                    "Huge pages under an IOMMU",
                    "perftest write-bw --profile cx6-200g -s 65536 -q 16 -n 40 --payload sizes -P"
                            + " host.iommu.enabled=true -P host.iommu.walkers=2 -P host.iommu.walk_ns=380",
                    "-P host.huge_pages=never",
                    "-P host.huge_pages=2M",
                    Figure.BANDWIDTH,
                    1.1,
                    "each page of 4 KB needs a page walk, and with buffers larger than the IOTLB two walkers of 380 ns"
                            + " cannot keep up with the line; a page of 2 MB serves 512 times as long"),
            new Practice(
                    "relaxed-ordering",
                    "Relaxed ordering on hosts where order costs time",
                    LARGE + " -q 4 -P pcie.strict_write_ns=13.65",
                    "-P nic.pci_wr_ordering=per_mkey",
                    "-P nic.pci_wr_ordering=force_relax",
                    Figure.BANDWIDTH,
                    1.3,
                    "each strictly ordered write of 256 B keeps the root complex for 13.65 ns: 150 Gb/s"),
            new Practice(
                    "moderation-off",
                    "No interrupt moderation where latency counts",
                    SMALL + " --event",
                    "-P nic.int.moderation=true",
                    "-P nic.int.moderation=false",
                    Figure.P50,
                    1.3,
                    "INT_MOD_CTRL holds each interrupt back for its period, 255 core clocks at reset"),
            new Practice(
                    "core-isolation",
                    "Cores that poll taken away from the scheduler",
                    "perftest write-lat -s 64 -n 5000 -P host.sched.tick_ns=1000000 -P host.sched.load=1",
                    "-P host.isolcpus=false",
                    "-P host.isolcpus=true",
                    Figure.P999,
                    10,
                    "at each tick another task takes the core for its slice, and messages wait for it: half a slice in"
                            + " the half round trip; the median stays"),
            new Practice(
                    "memory-pool",
                    "A pool registered once against registration for each message",
                    "perftest read-lat -s 65536 -n 300 --payload sizes -P host.reg.pin_page_ns=250"
                            + " -P host.reg.unpin_page_ns=100 -P host.reg.mtt_entry_ns=40",
                    "--register-each",
                    "",
                    Figure.P50,
                    1.5,
                    "in front of each message stand a command of the NIC and, for each of 16 pages of 4 KB, pinning"
                            + " and a translation entry"),
            new Practice(
                    "storage-registration",
                    "Keep registrations of memory for small and medium transfers (DAOS)",
                    "storage run daos --op read --size 65536 --ops 40 --keys 8",
                    "",
                    "--mr-cache",
                    Figure.P50,
                    1.5,
                    "registering and deregistering 64 KiB takes two times 10 us and a quarter for each of 16 pages"),
            new Practice(
                    "storage-inline",
                    "Values that fit into a request need no registration (DAOS)",
                    "storage run daos --op read --ops 40 --keys 8",
                    "--size 19456",
                    "--size 18944",
                    Figure.P50,
                    1.7,
                    "from 19,456 B on the client registers its memory for each operation; below, four copies are made"),
            new Practice(
                    "storage-polling",
                    "Let the messenger's thread poll for longer than messages are apart (Ceph)",
                    "storage run ceph --op read --size 4096 --ops 40 --keys 8",
                    "--polling-us 0",
                    "--polling-us 1000",
                    Figure.P50,
                    1.15,
                    "ms_async_rdma_polling_us=0 is event mode, not pure polling: client and primary are woken for each"
                            + " message"),
            new Practice(
                    "storage-numa",
                    "Cores and memory on the NIC's node, in a storage system",
                    "storage run daos --op read --size 4096 --ops 40 --keys 8",
                    "-P host.numa.core_node=1 -P host.numa.memory_node=1",
                    "",
                    Figure.P50,
                    1.05,
                    "each access of NIC and SSD to memory crosses the sockets, at both ends"));

    private Practices() {}

    /** Returns all scenarios in the order of the list. */
    public static List<Practice> all() {
        return ALL;
    }
}
