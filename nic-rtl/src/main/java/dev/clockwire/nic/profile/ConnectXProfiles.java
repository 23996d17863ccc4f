package dev.clockwire.nic.profile;

/**
 * The ConnectX-like NIC that the others are made from. What is inside these devices is not published: the blocks' cycles are
 * assumptions of the right size, the link and PCIe numbers are facts.
 */
final class ConnectXProfiles {
    private ConnectXProfiles() {}

    static Profile cx7() {
        ProfileBuilder b = new ProfileBuilder();
        host(b);
        pcie(b);
        queues(b);
        datapath(b);
        line(b);
        HostParameters.defaults(b);
        KernelParameters.defaults(b);
        SpdkParameters.defaults(b);
        return b.build("cx7-400g", "ConnectX-7 class, 400 Gb/s RoCE, PCIe Gen5 x16");
    }

    private static void host(ProfileBuilder b) {
        b.source('C', "size of the steps of a user-space driver on a 3 GHz core")
                .set("host.cpu.post_ns", 60)
                .set("host.cpu.doorbell_ns", 20)
                .set("host.cpu.poll_ns", 20)
                .set("host.cpu.cqe_ns", 20)
                .set("host.cpu.wc_flush_ns", 30)
                .source('B', "public one-way and round-trip measurements, split over the parts of the path")
                .set("host.mmio_ns", 60)
                .set("host.root_complex_ns", 20)
                .set("host.queue_read_ns", 140)
                .set("host.payload_read_ns", 210)
                .set("host.payload_translation_ns", 0)
                .set("host.write_commit_ns", 60);
    }

    private static void pcie(ProfileBuilder b) {
        b.source('A', "vendor's data sheet of the card")
                .set("pcie.generation", 5)
                .set("pcie.lanes", 16)
                .source('B', "settings seen on servers: MPS 256, MRRS 512")
                .set("pcie.mps", 256)
                .set("pcie.mrrs", 512)
                .set("pcie.rcb", "mps")
                .set("pcie.dllp", "exact")
                .source('B', "lspci of such cards: DevCap MaxPayload 512 bytes")
                .set("pcie.mps_supported", 512)
                .source('C', "a card in a slot of its own width, all lanes trained")
                .set("pcie.lanes_supported", "link")
                .source('A', "PCIe base specification: 8-bit tags")
                .set("pcie.tags", 256)
                .source('C', "credits of a server's root port; enough for full rate")
                .set("pcie.credits.posted_headers", 127)
                .set("pcie.credits.posted_data", 2047)
                .set("pcie.credits.nonposted_headers", 127)
                .source('B', "half of a 390 ns DMA read round trip less host and memory")
                .set("pcie.propagation_ns", 70)
                .source('C', "device sits on a root port")
                .set("pcie.switch_hops", 0)
                .set("pcie.switch", "none")
                .source('A', "public figure of a Gen5 switch")
                .set("pcie.switch_hop_ns", 115)
                .source('C', "the base specification allows 1e-12: too rare for a run")
                .set("pcie.ber", 0)
                .set("pcie.retry_bytes", 0)
                .source('C', "recovery of a trained link takes a few microseconds")
                .set("pcie.retrain_ns", 4000)
                .source('C', "nothing is lost unless a fault is asked for")
                .set("pcie.completion_timeout_us", 0)
                .source(
                        'C',
                        "on many hosts order costs nothing; 13.65 ns is EPYC, 16 ns Emerald Rapids (public reports)")
                .set("pcie.strict_write_ns", 0)
                .set("pcie.id_based_ordering", false)
                .source('C', "no part of the measured hosts' logs; no public figure says how many a card holds")
                .set("pcie.ats", false)
                .set("pcie.atc_entries", 1024)
                .set("pcie.atc_ways", 4)
                .source('B', "default of mlxconfig")
                .set("nic.pci_wr_ordering", "per_mkey");
    }

    private static void queues(ProfileBuilder b) {
        b.source('C', "core clock of the simulated NIC")
                .set("nic.core_mhz", 250)
                .set("nic.datapath_bytes", 256)
                .source('B', "mlx5 driver: doorbell record and producer index")
                .set("nic.blueflame", true)
                .set("nic.doorbell.carries_pi", true)
                .source('A', "article 1, section 2.2: UAR pages of 4 KB")
                .set("nic.uar.layout", "page")
                .set("nic.bar32", false)
                .source('C', "size of the block")
                .set("nic.doorbell.cycles", 1)
                .set("nic.sched.policy", "rr")
                .set("nic.sched.responses", false)
                .set("nic.sched.ahead", 32)
                .set("nic.wqe.outstanding_fetches", 8)
                .set("nic.wqe.fetch_batch", 4)
                .source('A', "article 1, section 3.1")
                .set("nic.wqe.parse_cycles", 3)
                .set("nic.lookup.qpc_cycles", 5)
                .source('C', "size of the block")
                .set("nic.lookup.eec_cycles", 0)
                .set("nic.lookup.mtt_cycles", 4)
                .set("nic.lookup.includes_parser", true)
                .source('B', "fitted: 365 of 400 Gb/s on one QP in a public sweep, 392 on two")
                .set("nic.dma.payload_outstanding_reads", 36)
                .set("nic.dma.store_and_forward", "packet")
                .set("nic.dma.gather_cycles", 0)
                .set("nic.dma.buffer_packets", 64)
                .source('C', "order of size that ConnectX devices report as max_dm_size")
                .set("nic.dm.bytes", 131072)
                .source('C', "message rate of one QP")
                .set("nic.qp.wqe_interval_cycles", 20)
                .source('C', "InfiniBand allows 1 to 4; the earliest, as Linux soft-RoCE has it")
                .set("nic.qp.ack_timeout_factor", 1)
                .source('A', "perftest logs: 16 outstanding reads")
                .set("nic.qp.max_rd_atomic", 16)
                .source('C', "as Linux soft-RoCE, which announces nothing; InfiniBand allows both")
                .set("nic.qp.credits", false)
                .source('B', "InfiniBand allows it, Linux hfi1 does it")
                .set("nic.qp.refuse_excess_reads", true)
                .source('B', "Ethernet, IPv4, UDP, BTH, ICRC, FCS, preamble and gap: what a packet takes on the line")
                .set("nic.rate.packet_overhead", 82)
                .source('C', "DCQCN needs packets paced one by one")
                .set("nic.rate.per_message", false)
                .set("nic.rate.fsm", "merged")
                .set("nic.rate.bucket", "fixed")
                .set("nic.rate.dcqcn", "off")
                .source('B', "DCQCN's authors: hardware paces packet by packet")
                .set("nic.rate.dcqcn_burst", 0)
                .source('C', "switched off until a fabric needs it; the interval and class are what cards report")
                .set("nic.ecn.capable", false)
                .set("nic.ecn.notify", "off")
                .set("nic.ecn.cnp_interval_us", 4)
                .set("nic.ecn.cnp_dscp", 48)
                .source('C', "guess: as long as the ACK generator and its queue")
                .set("nic.ecn.cnp_cycles", 16)
                .source('C', "switched off until a fabric needs it; half of a 1 MiB receive buffer, and a quarter")
                .set("nic.pfc.classes", 0)
                .set("nic.pause.global", false)
                .set("nic.rx.buffer_bytes", 0)
                .set("nic.roce_version", "v2")
                .set("nic.pause.xoff_bytes", 512 << 10)
                .set("nic.pause.xon_bytes", 256 << 10)
                .source(
                        'B',
                        "DCQCN, SIGCOMM 2015: the values of its 40 Gb/s testbed; hyper increase and floor as its"
                                + " simulator has them")
                .set("nic.dcqcn.gain_shift", 8)
                .set("nic.dcqcn.alpha_us", 55)
                .set("nic.dcqcn.timer_us", 55)
                .set("nic.dcqcn.byte_counter", 10_000_000)
                .set("nic.dcqcn.fast_recovery", 5)
                .set("nic.dcqcn.additive_mbps", 40)
                .set("nic.dcqcn.hyper_mbps", 200)
                .set("nic.dcqcn.floor_mbps", 100)
                .source('A', "mlxconfig dumps of eight cards: what they have when nobody changed it")
                .set("nic.dcqcn.dce_tcp_g", 1019)
                .set("nic.dcqcn.initial_alpha_value", 1023)
                .set("nic.dcqcn.rpg_gd", 11)
                .set("nic.dcqcn.rpg_min_dec_fac", 50)
                .set("nic.dcqcn.rpg_min_rate", 1)
                .set("nic.dcqcn.rate_reduce_monitor_period", 4)
                .set("nic.dcqcn.rpg_time_reset", 300)
                .set("nic.dcqcn.rpg_threshold", 1)
                .set("nic.dcqcn.rpg_ai_rate", 5)
                .set("nic.dcqcn.rpg_hai_rate", 50)
                .set("nic.dcqcn.clamp_tgt_rate", false)
                .set("nic.dcqcn.clamp_tgt_rate_after_time_inc", true)
                .source('C', "all on the chip: no public figure says how many a card holds")
                .set("nic.cache.qpc_entries", 0)
                .set("nic.cache.qpc_ways", 4)
                .set("nic.cache.qpc_shared", false)
                .set("nic.cache.cqc_entries", 0)
                .set("nic.cache.cqc_ways", 4)
                .set("nic.cache.mpt_entries", 0)
                .set("nic.cache.mpt_ways", 4)
                .set("nic.cache.mtt_entries", 0)
                .set("nic.cache.mtt_ways", 4)
                .set("nic.cache.wqe_entries", 0)
                .set("nic.cache.replacement", "lru")
                .set("nic.cache.ports", 2)
                .source('B', "pages of a host without huge pages; the next translation is read ahead")
                .set("nic.cache.mtt_page", 4096)
                .set("nic.cache.mtt_prefetch", true)
                .source('B', "size class of an mlx5 context")
                .set("nic.cache.qpc_bytes", 256)
                .source('B', "cqc_bits of mlx5: 512 bits")
                .set("nic.cache.cqc_bytes", 64)
                .source('C', "size of the block")
                .set("nic.cache.misses", 8);
    }

    private static void datapath(ProfileBuilder b) {
        b.source('C', "size of the block")
                .set("nic.tx.header_cycles", 6)
                .set("nic.tx.icrc_cycles", 4)
                .set("nic.mac.arbiter_cycles", 2)
                .set("nic.mac.cut_through", true)
                .set("nic.mac.threshold_beats", 2)
                .set("nic.mac.crossing_cycles", 3)
                .set("nic.mac.pcs_cycles", 7)
                .set("nic.rx.crossing_cycles", 3)
                .set("nic.rx.parse_cycles", 4)
                .set("nic.rx.lookup_cycles", 5)
                .set("nic.rx.ack_cycles", 3)
                .set("nic.atomic.cycles", 4)
                .set("nic.completion.cycles", 4)
                .source('C', "without, as the registers were before they were obeyed")
                .set("nic.cqe.compression", "off")
                .set("nic.eth.queues", 0)
                .set("nic.eth.checksums", false)
                .set("nic.int.moderation", false)
                .set("nic.eq.log_entries", 0)
                .source(
                        'C',
                        "mlx5's cqe_compression_timeout bounds a session by time, in no public unit; taken: what the"
                                + " seven WQEs take at nic.qp.wqe_interval_cycles = 35 that follow the first of a full"
                                + " array of eight, 245 cycles, rounded up to 2^8")
                .set("nic.cqe.compression_cycles", 256)
                .source(
                        'C',
                        "no offload unless asked for; a parser and a look-up each way, as nic.rx.parse_cycles and more")
                .set("nic.nvmf.contexts", 0)
                .set("nic.nvmf.cycles", 8);
    }

    private static void line(ProfileBuilder b) {
        b.source('A', "vendor's data sheet of the card")
                .set("link.gbps", 400)
                .set("link.mtu", 4096)
                .set("link.framing", "ethernet")
                .source('B', "RS-FEC block time of a 100 Gb/s lane")
                .set("link.phy_ns", 100)
                .source('C', "2 m copper at 5 ns a metre")
                .set("link.cable_ns", 10)
                .source('C', "two hosts back to back; else a usual Ethernet switch")
                .set("link.switch", "none")
                .set("link.switch_ns", 400);
    }
}
