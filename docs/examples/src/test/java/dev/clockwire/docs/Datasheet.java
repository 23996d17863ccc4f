package dev.clockwire.docs;

import dev.clockwire.nic.cache.CqcLookup;
import dev.clockwire.nic.cache.QpcLookup;
import dev.clockwire.nic.cache.Translator;
import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.doorbell.DoorbellBlock;
import dev.clockwire.nic.encode.Encoder;
import dev.clockwire.nic.ether.EthernetPort;
import dev.clockwire.nic.fetch.WqeFetch;
import dev.clockwire.nic.lookup.WqeStage;
import dev.clockwire.nic.mac.TxMac;
import dev.clockwire.nic.notify.NotificationPoint;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.respond.ResponderBlock;
import dev.clockwire.nic.respond.ResponseEngine;
import dev.clockwire.nic.rx.RxParser;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.nic.send.SendEngine;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.iommu.Iommu;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.Switch;
import java.util.List;

/**
 * Which class, parts, parameters and figures a page of docs/blocks is about. What they are is read from the code.
 *
 * @param page file name in docs/blocks without its ending
 * @param paths parts of the specimen, from its root
 * @param parameters paths of the profile's parameters that the part reads
 * @param counters beginnings of the names of registered statistics
 * @param figures public methods of the class that return a number
 */
record Datasheet(
        String page,
        Class<?> type,
        List<String> paths,
        List<String> parameters,
        List<String> counters,
        List<String> figures) {
    private static final String NIC = "host0.nic.";

    /** All pages in the order of the data path. */
    static final List<Datasheet> ALL = List.of(
            new Datasheet(
                    "cpu-core",
                    CpuCore.class,
                    List.of(),
                    List.of(
                            "host.cpu.post_ns",
                            "host.cpu.doorbell_ns",
                            "host.cpu.poll_ns",
                            "host.cpu.cqe_ns",
                            "host.cpu.wc_flush_ns"),
                    List.of("host0.root.core0."),
                    List.of()),
            new Datasheet(
                    "root-complex",
                    Host.class,
                    List.of("host0.root"),
                    List.of(
                            "host.mmio_ns",
                            "host.root_complex_ns",
                            "host.queue_read_ns",
                            "host.payload_read_ns",
                            "host.payload_translation_ns",
                            "host.write_commit_ns",
                            "host.huge_pages",
                            "host.numa.nodes",
                            "host.numa.nic_node",
                            "host.numa.memory_node",
                            "host.numa.core_node",
                            "host.numa.hop_ns",
                            "host.peer_ns",
                            "host.ddio.modelled",
                            "host.ddio.ways",
                            "host.llc.ways",
                            "host.llc.kbytes",
                            "host.stall.period_ns",
                            "host.stall.duration_ns",
                            "host.stall.probability",
                            "host.stall.begins",
                            "host.jitter.median_ns",
                            "host.jitter.sigma",
                            "pcie.strict_write_ns"),
                    List.of("host0.root.ddio.", "host0.root.stall"),
                    List.of()),
            new Datasheet(
                    "iommu",
                    Iommu.class,
                    List.of(),
                    List.of(
                            "host.iommu.enabled",
                            "host.iommu.iotlb_entries",
                            "host.iommu.iotlb_ways",
                            "host.iommu.hit_ns",
                            "host.iommu.walk_ns",
                            "host.iommu.walkers",
                            "host.iommu.fault"),
                    List.of("host0.root.iommu."),
                    List.of()),
            new Datasheet(
                    "pcie-link",
                    LinkDirection.class,
                    List.of(),
                    List.of(
                            "pcie.generation",
                            "pcie.lanes",
                            "pcie.lanes_supported",
                            "pcie.mps",
                            "pcie.mps_supported",
                            "pcie.dllp",
                            "pcie.propagation_ns",
                            "pcie.switch_hops",
                            "pcie.switch_hop_ns",
                            "pcie.credits.posted_headers",
                            "pcie.credits.posted_data",
                            "pcie.credits.nonposted_headers",
                            "pcie.ber",
                            "pcie.retry_bytes",
                            "pcie.retrain_ns"),
                    List.of("host0.pcie.up.", "host0.root.port0Down."),
                    List.of("headersInUse", "dataInUse", "waiting")),
            new Datasheet(
                    "pcie-endpoint",
                    PcieEndpoint.class,
                    List.of("host0.pcie"),
                    List.of(
                            "pcie.mrrs",
                            "pcie.rcb",
                            "pcie.tags",
                            "pcie.completion_timeout_us",
                            "pcie.id_based_ordering",
                            "pcie.ats",
                            "pcie.atc_entries",
                            "pcie.atc_ways"),
                    List.of("host0.pcie.un"),
                    List.of("readsOutstanding")),
            new Datasheet(
                    "pcie-switch",
                    PcieSwitch.class,
                    List.of(),
                    List.of("pcie.switch"),
                    List.of(),
                    List.of("forwarded", "peerToPeer", "unsupportedRequests", "unexpectedCompletions", "waiting")),
            nic(
                    "doorbell",
                    DoorbellBlock.class,
                    List.of("doorbell"),
                    List.of("nic.doorbell.cycles", "nic.blueflame", "nic.doorbell.carries_pi", "nic.uar.layout"),
                    List.of("doorbell_errors")),
            nic(
                    "scheduler",
                    QpScheduler.class,
                    List.of("scheduler"),
                    List.of("nic.sched.policy", "nic.sched.ahead", "nic.wqe.fetch_batch"),
                    List.of()),
            nic("wqe-fetch", WqeFetch.class, List.of("wqeFetch"), List.of("nic.wqe.outstanding_fetches"), List.of()),
            nic(
                    "wqe-stages",
                    WqeStage.class,
                    List.of("wqeParser", "qpcLookup", "eecLookup", "mttLookup"),
                    List.of(
                            "nic.wqe.parse_cycles",
                            "nic.lookup.qpc_cycles",
                            "nic.lookup.eec_cycles",
                            "nic.lookup.mtt_cycles",
                            "nic.lookup.includes_parser"),
                    List.of()),
            nic(
                    "qpc-lookup",
                    QpcLookup.class,
                    List.of(),
                    List.of(
                            "nic.cache.qpc_entries",
                            "nic.cache.qpc_ways",
                            "nic.cache.qpc_bytes",
                            "nic.cache.qpc_shared",
                            "nic.cache.replacement",
                            "nic.cache.ports",
                            "nic.cache.misses"),
                    List.of()),
            nic(
                    "cqc-lookup",
                    CqcLookup.class,
                    List.of(),
                    List.of("nic.cache.cqc_entries", "nic.cache.cqc_ways", "nic.cache.cqc_bytes"),
                    List.of()),
            nic(
                    "translator",
                    Translator.class,
                    List.of(),
                    List.of(
                            "nic.cache.mpt_entries",
                            "nic.cache.mpt_ways",
                            "nic.cache.mtt_entries",
                            "nic.cache.mtt_ways",
                            "nic.cache.mtt_page",
                            "nic.cache.mtt_prefetch"),
                    List.of()),
            nic(
                    "send-engine",
                    SendEngine.class,
                    List.of("sendEngine"),
                    List.of(
                            "nic.dma.payload_outstanding_reads",
                            "nic.dma.store_and_forward",
                            "nic.dma.gather_cycles",
                            "nic.dma.buffer_packets",
                            "nic.qp.wqe_interval_cycles",
                            "nic.qp.max_rd_atomic",
                            "nic.qp.credits",
                            "nic.cache.wqe_entries",
                            "nic.rate.packet_overhead",
                            "nic.rate.per_message",
                            "nic.rate.fsm",
                            "nic.rate.bucket",
                            "nic.rate.dcqcn",
                            "nic.rate.dcqcn_burst",
                            "link.mtu"),
                    List.of()),
            nic("chip-memory", ChipMemory.class, List.of("chipMemory"), List.of("nic.dm.bytes"), List.of()),
            nic(
                    "encoder",
                    Encoder.class,
                    List.of("encoder"),
                    List.of(
                            "nic.tx.header_cycles",
                            "nic.tx.icrc_cycles",
                            "nic.ecn.capable",
                            "nic.datapath_bytes",
                            "nic.core_mhz"),
                    List.of()),
            nic(
                    "tx-mac",
                    TxMac.class,
                    List.of("txMac"),
                    List.of(
                            "nic.mac.arbiter_cycles",
                            "nic.mac.cut_through",
                            "nic.mac.threshold_beats",
                            "nic.mac.crossing_cycles",
                            "nic.mac.pcs_cycles",
                            "nic.pfc.classes",
                            "nic.pause.global"),
                    List.of()),
            new Datasheet(
                    "link",
                    LinkEnd.class,
                    List.of(),
                    List.of("link.gbps", "link.framing", "link.phy_ns", "link.cable_ns"),
                    List.of("link.a."),
                    List.of("lastBitAt", "freeAt")),
            new Datasheet(
                    "switch", Switch.class, List.of(), List.of("link.switch", "link.switch_ns"), List.of(), List.of()),
            nic(
                    "rx-parser",
                    RxParser.class,
                    List.of("rxParser"),
                    List.of(
                            "nic.rx.crossing_cycles",
                            "nic.rx.parse_cycles",
                            "nic.rx.lookup_cycles",
                            "nic.pause.xoff_bytes",
                            "nic.pause.xon_bytes"),
                    List.of("rx_", "tx_global_pause")),
            nic(
                    "notification-point",
                    NotificationPoint.class,
                    List.of("notificationPoint"),
                    List.of("nic.ecn.notify", "nic.ecn.cnp_interval_us", "nic.ecn.cnp_dscp", "nic.ecn.cnp_cycles"),
                    List.of("np_")),
            nic(
                    "responder",
                    ResponderBlock.class,
                    List.of("responder"),
                    List.of("nic.rx.ack_cycles", "nic.qp.refuse_excess_reads"),
                    List.of("out_of_sequence", "duplicate_request", "out_of_buffer")),
            nic(
                    "response-engine",
                    ResponseEngine.class,
                    List.of("responseEngine"),
                    List.of("nic.atomic.cycles"),
                    List.of()),
            new Datasheet(
                    "offload",
                    NvmeOffload.class,
                    List.of(),
                    List.of("nic.nvmf.contexts", "nic.nvmf.cycles"),
                    List.of(),
                    List.of("taken", "refused", "passed", "responses", "failures")),
            nic("ethernet", EthernetPort.class, List.of("ethernet"), List.of("nic.eth.queues"), List.of("ethernet.")),
            nic(
                    "completion",
                    CqWriter.class,
                    List.of("cqWriter"),
                    List.of(
                            "nic.completion.cycles",
                            "nic.cqe.compression",
                            "nic.cqe.compression_cycles",
                            "nic.int.moderation",
                            "nic.eq.log_entries"),
                    List.of()));

    private static Datasheet nic(
            String page, Class<?> type, List<String> parts, List<String> parameters, List<String> counters) {
        return new Datasheet(
                page,
                type,
                parts.stream().map(NIC::concat).toList(),
                parameters,
                counters.stream().map(NIC::concat).toList(),
                List.of());
    }

    /** Returns whether a registered statistic belongs on this page. */
    boolean counts(String statistic) {
        return counters.stream().anyMatch(statistic::startsWith);
    }
}
