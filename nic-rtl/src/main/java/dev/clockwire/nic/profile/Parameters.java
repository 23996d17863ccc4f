package dev.clockwire.nic.profile;

import static dev.clockwire.nic.profile.Param.choice;
import static dev.clockwire.nic.profile.Param.flag;
import static dev.clockwire.nic.profile.Param.integer;
import static dev.clockwire.nic.profile.Param.number;

import dev.clockwire.pcie.link.DataLinkSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.stream.Stream;

/** The catalogue of all hardware parameters, in the order of the data path. */
public final class Parameters {
    private static final List<Param> PATH = List.of(
            number("host.cpu.post_ns", "ns", 0, 10_000, "Cost of building one WQE in a send or receive queue"),
            number("host.cpu.doorbell_ns", "ns", 0, 10_000, "Cost of the doorbell record, the barrier and the store"),
            number("host.cpu.poll_ns", "ns", 1, 10_000, "Cost of one look at a completion queue or a memory word"),
            number("host.cpu.cqe_ns", "ns", 0, 10_000, "Cost of consuming one CQE that was found"),
            number("host.cpu.wc_flush_ns", "ns", 0, 10_000, "Cost of one 64 B write-combining store with its flush"),
            number("host.mmio_ns", "ns", 0, 10_000, "A store's way from the core to the root complex"),
            number("host.root_complex_ns", "ns", 0, 10_000, "One pass through the root complex"),
            number("host.queue_read_ns", "ns", 0, 10_000, "Read of queue memory, which lies in the last-level cache"),
            number("host.payload_read_ns", "ns", 0, 10_000, "Read of payload memory, which lies in DRAM"),
            number("host.payload_translation_ns", "ns", 0, 10_000, "IOMMU and path penalty of a payload read"),
            number("host.write_commit_ns", "ns", 0, 10_000, "From the root complex until a write is visible to cores"),
            integer("pcie.generation", "", 1, 5, "PCIe generation"),
            choice("pcie.lanes", "", "Lanes of the link", "1", "2", "4", "8", "16"),
            choice(
                    "pcie.lanes_supported",
                    "",
                    "Lanes that the card has: LnkCap; pcie.lanes, those of the slot or those that trained, is at most"
                            + " that. link = as many as the link",
                    "link",
                    "1",
                    "2",
                    "4",
                    "8",
                    "16"),
            choice("pcie.mps", "B", "Maximum payload size", "128", "256", "512", "1024", "2048", "4096"),
            choice(
                    "pcie.mps_supported",
                    "B",
                    "Largest payload that the device can be set to: DevCap; pcie.mps is at most that",
                    "128",
                    "256",
                    "512",
                    "1024",
                    "2048",
                    "4096"),
            choice("pcie.mrrs", "B", "Maximum read request size", "128", "256", "512", "1024", "2048", "4096"),
            choice("pcie.rcb", "B", "Read completion boundary: what a completer splits at", "64", "128", "mps"),
            choice("pcie.dllp", "", "How ACK and credit traffic is charged", "exact", "pcie-bench", "framing"),
            integer("pcie.tags", "", 1, 768, "Read requests the device may have outstanding"),
            number("pcie.propagation_ns", "ns", 0, 10_000, "One way over PHYs, controller and board"),
            integer("pcie.switch_hops", "", 0, 8, "PCIe switches between root complex and device"),
            number("pcie.switch_hop_ns", "ns", 0, 10_000, "One pass through a PCIe switch"),
            choice(
                    "pcie.switch",
                    "",
                    "PCIe switch between root port and device, as a block: 115 ns on a card of its own, 100 ns on the"
                            + " device's chip",
                    "none",
                    "gen5",
                    "on_chip"),
            integer("pcie.credits.posted_headers", "", 1, 127, "Posted header credits of the root complex"),
            integer("pcie.credits.posted_data", "16 B", 8, 2047, "Posted data credits of the root complex"),
            integer("pcie.credits.nonposted_headers", "", 1, 127, "Non-posted header credits of the root complex"),
            number("pcie.ber", "", 0, DataLinkSpec.MOST_ERRORS, "Bit error rate of the lanes; 0 = no replay is built"),
            integer("pcie.retry_bytes", "B", 0, 1 << 24, "Retry buffer of each end; 0 = never full"),
            number("pcie.retrain_ns", "ns", 1, 1_000_000, "Rest of the link when four replays were in vain"),
            integer(
                    "pcie.completion_timeout_us",
                    "us",
                    0,
                    64_000_000,
                    "How long both ends wait for a completion, at least 50; 0 = nothing is lost, nobody looks"),
            flag("pcie.ats", "The device keeps translations of the host's IOMMU (ATS); needs host.iommu.enabled"),
            integer("pcie.atc_entries", "", 1, 1 << 20, "Translations the device keeps with pcie.ats"),
            integer("pcie.atc_ways", "", 1, 1 << 20, "Ways of that cache"),
            number(
                    "pcie.strict_write_ns",
                    "ns",
                    0,
                    10_000,
                    "Time of a strictly ordered write in the root complex; 0 = none"),
            flag(
                    "pcie.id_based_ordering",
                    "The device sets the ID-based ordering attribute where device control 2 allows it"),
            choice(
                    "nic.pci_wr_ordering",
                    "",
                    "Order of payload writes: strict, or with the relaxed ordering attribute; CQEs are always strict",
                    "per_mkey",
                    "force_relax"),
            integer("nic.core_mhz", "MHz", 1, 4000, "Clock of the NIC's blocks"),
            choice("nic.datapath_bytes", "B", "Width of the packet bus", "32", "64", "128", "256", "512"),
            flag("nic.blueflame", "The driver writes the WQE into the UAR instead of ringing the doorbell"),
            flag(
                    "nic.doorbell.carries_pi",
                    "The doorbell carries the producer index; otherwise the NIC reads the record"),
            flag("nic.bar32", "All BARs are 32-bit ones, with article 1's BAR1 behind the registers of BAR0"),
            choice("nic.uar.layout", "", "Doorbells: a page for each queue pair, or packed", "page", "packed"),
            integer("nic.doorbell.cycles", "cycles", 1, 1000, "Decoding of a doorbell"),
            choice("nic.sched.policy", "", "Which ready send queue goes next", "rr", "wrr", "strict"),
            flag(
                    "nic.sched.responses",
                    "READ responses and answers go by the same policy; else queue pairs take turns"),
            integer("nic.sched.ahead", "WQE", 1, 64, "WQEs of a queue between their fetch and their execution"),
            integer("nic.wqe.outstanding_fetches", "", 1, 256, "WQE reads in flight"),
            integer("nic.wqe.fetch_batch", "blocks", 1, 16, "64 B blocks of a send queue a single read may bring"),
            integer("nic.wqe.parse_cycles", "cycles", 1, 1000, "WQE parser"),
            integer("nic.lookup.qpc_cycles", "cycles", 1, 1000, "QP context lookup"),
            integer("nic.cache.qpc_entries", "", 0, 1 << 24, "QP contexts on the chip; 0 = all"),
            integer("nic.cache.qpc_ways", "", 1, 1 << 24, "Ways of that cache"),
            integer("nic.cache.qpc_bytes", "B", 16, 4096, "Size of a QP context in host memory"),
            flag("nic.cache.qpc_shared", "Received packets look their QP context up in that cache too"),
            integer("nic.cache.cqc_entries", "", 0, 1 << 24, "Completion queue contexts on the chip; 0 = all"),
            integer("nic.cache.cqc_ways", "", 1, 1 << 24, "Ways of that cache"),
            integer("nic.cache.cqc_bytes", "B", 16, 4096, "Size of a completion queue context in host memory"),
            integer("nic.cache.mpt_entries", "", 0, 1 << 24, "Memory keys on the chip; 0 = all"),
            integer("nic.cache.mpt_ways", "", 1, 1 << 24, "Ways of that cache"),
            integer("nic.cache.mtt_entries", "", 0, 1 << 24, "Page translations on the chip; 0 = all"),
            integer("nic.cache.mtt_ways", "", 1, 1 << 24, "Ways of that cache"),
            choice("nic.cache.mtt_page", "B", "What one translation covers", "4096", "65536", "2097152", "1073741824"),
            flag("nic.cache.mtt_prefetch", "The translation behind the one in use is read ahead"),
            integer("nic.cache.wqe_entries", "", 0, 1024, "WQEs that may wait on the chip; 0 = all"),
            choice("nic.cache.replacement", "", "What makes room in a set", "lru", "random"),
            integer("nic.cache.ports", "", 1, 16, "Lookups that each cache takes in a cycle"),
            integer("nic.cache.misses", "", 1, 1024, "Entries of each table that may be on their way from memory"),
            integer("nic.lookup.eec_cycles", "cycles", 0, 1000, "End-to-end context lookup, after the QP context"),
            integer("nic.lookup.mtt_cycles", "cycles", 0, 1000, "Key check and address translation"),
            flag("nic.lookup.includes_parser", "Parser and lookup are one pipeline (one stage in the waterfall)"),
            integer("nic.dma.payload_outstanding_reads", "MRd", 1, 1024, "Payload read requests in flight per QP"),
            choice("nic.dma.store_and_forward", "", "What is complete before assembly starts", "packet", "message"),
            integer("nic.dma.gather_cycles", "cycles", 0, 1000, "Gather: before the payload read of a send leaves"),
            integer(
                    "nic.dma.buffer_packets",
                    "packets",
                    1,
                    4096,
                    "Packets that may wait for their payload or the encoder"),
            integer("nic.dm.bytes", "B", 0, 1 << 24, "SRAM that programs may allocate device memory in"),
            integer("nic.qp.wqe_interval_cycles", "cycles", 1, 10_000, "Smallest distance of two WQEs of one QP"),
            number(
                    "nic.qp.ack_timeout_factor",
                    "",
                    1,
                    4,
                    "Times of the nominal acknowledge timeout after which a loss is noticed"),
            integer("nic.qp.max_rd_atomic", "", 1, 16, "READs and atomics outstanding per QP"),
            flag("nic.qp.credits", "End-to-end flow control: announce receives, send no further than announced"),
            flag("nic.qp.refuse_excess_reads", "Refuse more READs and atomics than the QP takes outstanding"),
            integer("nic.rate.packet_overhead", "B", 0, 1000, "Bytes a paced packet is charged besides its payload"),
            flag("nic.rate.per_message", "Charge a paced message whole before its first packet"),
            choice(
                    "nic.rate.fsm",
                    "",
                    "States of the rate gate that last: one, or all of article 1",
                    "merged",
                    "article"),
            choice(
                    "nic.rate.bucket",
                    "",
                    "Token bucket, as it should be or as article 1 reads",
                    "fixed",
                    "article-literal"),
            choice(
                    "nic.rate.dcqcn",
                    "",
                    "Reaction point of each queue pair; article-literal: article 2 as it reads",
                    "off",
                    "paper",
                    "vendor",
                    "article-literal"),
            integer(
                    "nic.rate.dcqcn_burst",
                    "B",
                    0,
                    1 << 24,
                    "Burst while a reaction point limits the rate; 0 = one packet of link.mtu"),
            integer("nic.dcqcn.gain_shift", "log2", 1, 16, "Paper: g is 2 to the power of minus this"),
            integer(
                    "nic.dcqcn.alpha_us",
                    "us",
                    1,
                    1_000_000,
                    "Paper, K: time without a notification until alpha decays"),
            integer("nic.dcqcn.timer_us", "us", 1, 1_000_000, "Paper, T: time between increases"),
            integer("nic.dcqcn.byte_counter", "B", 1, 2_000_000_000, "Paper, B: bytes between increases"),
            integer("nic.dcqcn.fast_recovery", "", 1, 255, "Paper, F: increases until fast recovery ends"),
            integer("nic.dcqcn.additive_mbps", "Mb/s", 0, 1_000_000, "Paper, R_AI: additive increase"),
            integer("nic.dcqcn.hyper_mbps", "Mb/s", 0, 1_000_000, "Paper, R_HAI: hyper increase"),
            integer("nic.dcqcn.floor_mbps", "Mb/s", 1, 1_000_000, "Paper: rate below which no cut goes"),
            integer("nic.dcqcn.dce_tcp_g", "1/1024", 0, 1024, "Vendor: what alpha keeps of itself each microsecond"),
            integer("nic.dcqcn.initial_alpha_value", "1/1024", 0, 1023, "Vendor: alpha at the first notification"),
            integer(
                    "nic.dcqcn.rpg_gd",
                    "log2",
                    10,
                    15,
                    "Vendor: a cut takes rate x alpha / 2^rpg_gd; 11 is half of alpha"),
            integer("nic.dcqcn.rpg_min_dec_fac", "%", 1, 100, "Vendor: what a cut leaves at least"),
            integer("nic.dcqcn.rpg_min_rate", "Mb/s", 1, 1_000_000, "Vendor: rate below which no cut goes"),
            integer("nic.dcqcn.rate_reduce_monitor_period", "us", 1, 1 << 20, "Vendor: at most one cut in each"),
            integer("nic.dcqcn.rpg_time_reset", "us", 1, 1 << 20, "Vendor: time between increases"),
            integer("nic.dcqcn.rpg_threshold", "", 0, 31, "Vendor: increases until fast recovery ends"),
            integer("nic.dcqcn.rpg_ai_rate", "Mb/s", 0, 1_000_000, "Vendor: additive increase"),
            integer("nic.dcqcn.rpg_hai_rate", "Mb/s", 0, 1_000_000, "Vendor: hyper increase"),
            flag("nic.dcqcn.clamp_tgt_rate", "Vendor: every cut lowers the rate to recover to"),
            flag(
                    "nic.dcqcn.clamp_tgt_rate_after_time_inc",
                    "Vendor: a cut lowers it only if an increase by time came since the last cut"),
            flag("nic.ecn.capable", "RoCE packets say that marks of congestion are understood: ECT(0)"),
            choice(
                    "nic.ecn.notify",
                    "",
                    "Notification point: one CNP an interval at most, for each queue pair or for the port",
                    "off",
                    "qp",
                    "port"),
            integer("nic.ecn.cnp_interval_us", "us", 0, 10_000, "Least time between CNPs; 0 = one for each mark"),
            integer("nic.ecn.cnp_dscp", "", 0, 63, "Code point of CNPs, which gives them their class"),
            integer("nic.ecn.cnp_cycles", "cycles", 1, 100_000, "From a mark's verdict until its CNP is at the MAC"),
            integer(
                    "nic.pfc.classes",
                    "",
                    0,
                    255,
                    "Bit n: class n (DSCP / 8) pauses its sender rather than overflow, and obeys pauses"),
            flag("nic.pause.global", "Pauses of the whole link (802.3x); not together with nic.pfc.classes"),
            integer("nic.pause.xoff_bytes", "B", 1024, 64 << 20, "Bytes in the receive buffer that stop the sender"),
            integer("nic.pause.xon_bytes", "B", 0, 64 << 20, "Bytes at which it may go on, not more than that"),
            integer(
                    "nic.rx.buffer_bytes",
                    "B",
                    0,
                    64 << 20,
                    "Receive buffer: what finds no room is lost; 0 = as large as needed"),
            choice(
                    "nic.roce_version",
                    "",
                    "Version of the GID that connections use: v2 is UDP, v1 EtherType 0x8915",
                    "v2",
                    "v1"),
            integer("nic.tx.header_cycles", "cycles", 1, 1000, "Encoder: headers"),
            integer("nic.tx.icrc_cycles", "cycles", 0, 1000, "Encoder: ICRC pipeline"),
            integer("nic.mac.arbiter_cycles", "cycles", 0, 1000, "TX scheduler in front of the MAC"),
            flag("nic.mac.cut_through", "The MAC starts before the frame is complete"),
            integer("nic.mac.threshold_beats", "beats", 1, 64, "Beats in the FIFO before a cut-through MAC starts"),
            integer("nic.mac.crossing_cycles", "cycles", 0, 1000, "Clock crossing into the MAC"),
            integer("nic.mac.pcs_cycles", "cycles", 0, 1000, "MAC and PCS pipeline until the first bit"),
            number("link.gbps", "Gb/s", 1, 1600, "Line rate"),
            choice("link.mtu", "B", "Path MTU", "256", "512", "1024", "2048", "4096"),
            choice("link.framing", "", "What a packet costs on the line", "ethernet", "infiniband"),
            number("link.phy_ns", "ns", 0, 10_000, "PHY, FEC and lane alignment, both ends together"),
            number("link.cable_ns", "ns", 0, 1_000_000, "Cable"),
            choice("link.switch", "", "What is between two hosts", "none", "store-and-forward", "cut-through"),
            number("link.switch_ns", "ns", 0, 1_000_000, "Switch: from a frame's last (or first) bit to its first"),
            integer("nic.rx.crossing_cycles", "cycles", 1, 16, "Clock crossing out of the receive MAC"),
            integer("nic.rx.parse_cycles", "cycles", 1, 1000, "RX parser and ICRC verdict"),
            integer("nic.rx.lookup_cycles", "cycles", 1, 1000, "QP context lookup of a received packet"),
            integer("nic.rx.ack_cycles", "cycles", 1, 1000, "ACK generator"),
            integer("nic.atomic.cycles", "cycles", 1, 1000, "Read-modify-write unit"),
            integer("nic.completion.cycles", "cycles", 1, 1000, "Completion unit until the CQE leaves"),
            choice("nic.cqe.compression", "", "Which completion queues have compressed entries", "off", "cq", "all"),
            integer("nic.cqe.compression_cycles", "cycles", 1, 10_000, "Wait of a completion for alike ones"),
            integer("nic.eth.queues", "", 0, 64, "Ethernet send and receive queues; 0 = none"),
            flag("nic.eth.checksums", "Ethernet queues make and check checksums of IP, TCP and UDP for the driver"),
            integer("nic.nvmf.contexts", "", 0, 1024, "Commands that the NVMe-oF offload keeps; 0 = no offload"),
            integer(
                    "nic.nvmf.cycles",
                    "cycles",
                    1,
                    1000,
                    "NVMe-oF offload: from a capsule to the SSD's command, and back"),
            flag("nic.int.moderation", "Interrupts wait as INT_MOD_CTRL says (at reset for 255 core clocks)"),
            integer(
                    "nic.eq.log_entries",
                    "log2",
                    0,
                    16,
                    "Entries of an event queue that can overflow; 0 = it never does"));

    private static final List<Param> ALL = Stream.of(PATH, HostParameters.ALL, KernelParameters.ALL, SpdkParameters.ALL)
            .flatMap(List::stream)
            .toList();

    private Parameters() {}

    /** Returns all parameters in the order of the data path. */
    public static List<Param> all() {
        return ALL;
    }

    /**
     * Returns the parameter of a path.
     *
     * @throws ConfigurationException naming the nearest path if there is none
     */
    public static Param byPath(String path) {
        for (Param p : ALL) {
            if (p.path().equals(path)) {
                return p;
            }
        }
        throw new ConfigurationException("unknown parameter '" + path + "'"
                + Nearest.hint(path, ALL.stream().map(Param::path).toList()));
    }
}
