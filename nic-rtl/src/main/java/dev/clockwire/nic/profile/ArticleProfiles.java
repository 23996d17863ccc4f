package dev.clockwire.nic.profile;

/**
 * The two articles' stage tables as mechanisms. No value is the total of a stage: the reads' round trips are sums over the
 * path, the payload's time follows from the number of outstanding reads and the link.
 */
final class ArticleProfiles {
    private ArticleProfiles() {}

    /** Article 1, table 3.4: 64 KB WRITE in 12.67 us because one 4 KB read is outstanding at a time. */
    static Profile first() {
        ProfileBuilder b = common();
        b.source('A', "article 1, section 6.1: ConnectX-7, EPYC with PCIe Gen4")
                .set("link.gbps", 400)
                .source('B', "doorbell one-way 150 ns less PCIe and root complex")
                .set("host.mmio_ns", 98)
                .source('B', "round trip 608.6 ns: article 2's 309 ns and its 300 ns root complex and IOMMU penalty")
                .set("host.payload_translation_ns", 299.7)
                .set("pcie.mrrs", 4096)
                .source('B', "12,000 ns for 64 KB = 16 x (608.6 + 141.4) ns: one read at a time")
                .set("nic.dma.payload_outstanding_reads", 1)
                .source('B', "10 cycles of context lookup = QP context and end-to-end context in series")
                .set("nic.lookup.eec_cycles", 5)
                .set("nic.lookup.mtt_cycles", 0)
                .set("nic.lookup.includes_parser", false)
                .source('B', "20 cycles of packet assembly")
                .set("nic.tx.header_cycles", 12)
                .set("nic.tx.icrc_cycles", 8)
                .source('B', "50 cycles until the first bit: a 4 KB packet is stored in 33 beats of 128 B")
                .set("nic.mac.cut_through", false)
                .set("nic.mac.arbiter_cycles", 4)
                .set("nic.mac.crossing_cycles", 3)
                .set("nic.mac.pcs_cycles", 10);
        return b.build("article-1", "Article 1: 64 KB WRITE on ConnectX-7, PCIe Gen4 x16, table 3.4");
    }

    /** Article 2, table 3.3: 4 KB WRITE in 1.3 us, pipelined reads, switch in the path. */
    static Profile second() {
        ProfileBuilder b = common();
        b.source('A', "article 2, section 6: ConnectX-6 Dx 100GbE")
                .set("link.gbps", 100)
                .source('B', "doorbell through a switch 300 ns less PCIe and root complex")
                .set("host.mmio_ns", 250)
                .source('B', "round trip 309 ns, no translation penalty behind the switch")
                .set("host.payload_translation_ns", 0)
                .set("pcie.propagation_ns", 10)
                .set("pcie.switch_hops", 1)
                .set("pcie.switch_hop_ns", 20)
                .set("pcie.mrrs", 512)
                .source('B', "4 KB in 450 ns: eight 512 B reads at once")
                .set("nic.dma.payload_outstanding_reads", 8)
                .source('B', "12 cycles of parsing, context lookup and translation")
                .set("nic.lookup.mtt_cycles", 4)
                .set("nic.lookup.includes_parser", true)
                .source('B', "25 cycles of header build and transmission until the first bit")
                .set("nic.tx.header_cycles", 6)
                .set("nic.tx.icrc_cycles", 4)
                .set("nic.mac.cut_through", true)
                .set("nic.mac.arbiter_cycles", 3)
                .set("nic.mac.crossing_cycles", 3)
                .set("nic.mac.pcs_cycles", 7)
                .source('B', "CQE write-back 200 ns less PCIe and root complex")
                .set("host.write_commit_ns", 157);
        return b.build("article-2", "Article 2: 4 KB WRITE on ConnectX-6 Dx, PCIe Gen4 x16, table 3.3");
    }

    private static ProfileBuilder common() {
        return ProfileBuilder.from(ConnectXProfiles.cx7())
                .source('C', "not in the articles; small against their stages")
                .set("host.cpu.post_ns", 10)
                .set("host.cpu.doorbell_ns", 5)
                .set("host.cpu.poll_ns", 5)
                .set("host.cpu.cqe_ns", 2)
                .set("host.cpu.wc_flush_ns", 5)
                .set("host.write_commit_ns", 10)
                .set("host.root_complex_ns", 10)
                .source('B', "WQE fetch 200 ns = scheduler + path + read of queue memory")
                .set("host.queue_read_ns", 112)
                .set("pcie.propagation_ns", 30)
                .source('B', "round trip 309 ns of article 2 less the path")
                .set("host.payload_read_ns", 228)
                .source('A', "articles: PCIe Gen4 x16, 250 MHz")
                .set("pcie.generation", 4)
                .set("pcie.lanes", 16)
                .set("nic.core_mhz", 250)
                .source('B', "1024 bit x 250 MHz = 256 Gb/s: the least that carries the articles' bandwidth")
                .set("nic.datapath_bytes", 128)
                .source('A', "the stage tables have a WQE fetch")
                .set("nic.blueflame", false)
                .source('B', "the fetch engine has one read in flight")
                .set("nic.wqe.outstanding_fetches", 1)
                .set("nic.wqe.fetch_batch", 1)
                .source('C', "not in the articles")
                .set("nic.qp.wqe_interval_cycles", 1)
                .set("nic.rx.crossing_cycles", 1)
                .set("nic.rx.ack_cycles", 1)
                .set("nic.completion.cycles", 1)
                .set("link.phy_ns", 5)
                .set("link.cable_ns", 5)
                .source('A', "article 1, section 3.1: parser 3 cycles, lookup 5 cycles")
                .set("nic.rx.parse_cycles", 3)
                .set("nic.rx.lookup_cycles", 5);
    }
}
