package dev.clockwire.nic.profile;

/**
 * The device and the host of one public log each. Links and slots are as the logs state them or as is usual for the card; at most
 * six parameters of a host are fitted, each on one published number ({@code clockwire validate --fit PROFILE} repeats it).
 */
final class MeasuredProfiles {
    private static final String INTERVAL = "public message rates of one QP on such cards: one in about 130 ns";

    private static final String SLOPE =
            "latency over size inside one packet in the log: two line times, so one hop stores it";

    private MeasuredProfiles() {}

    static Profile cx3() {
        return infiniband(32, "public perftest log of a ConnectX-3: QDR, 40 Gb/s signalled, 8b/10b")
                .set("link.mtu", 2048)
                .source('C', "8b/10b lanes have no FEC; serialiser and lane alignment only")
                .set("link.phy_ns", 20)
                .source('B', "30.75 Gb/s of payload in the log are more than Gen2 x8 carries")
                .set("pcie.generation", 3)
                .set("pcie.lanes", 8)
                .source('B', SLOPE)
                .set("link.switch", "store-and-forward")
                .source('C', "a usual InfiniBand switch")
                .set("link.switch_ns", 100)
                .source('C', INTERVAL)
                .set("nic.qp.wqe_interval_cycles", 33)
                .source('B', "fitted: WRITE latency of 2 B, SEND latency of 128 and 256 B in the log")
                .set("host.mmio_ns", 163)
                .set("host.cpu.wc_flush_ns", 84)
                .set("nic.dma.gather_cycles", 63)
                .source('B', "fitted: atomics a second in the log, one read round trip each")
                .set("host.payload_read_ns", 198)
                .build("cx3-40g", "ConnectX-3 class, 40 Gb/s InfiniBand QDR, PCIe Gen3 x8");
    }

    static Profile cx4() {
        return infiniband(100, "public notes on a ConnectX-4, EDR back to back")
                .source('C', "the notes' own 80.4 Gb/s need it; what they print as speed cannot be")
                .set("pcie.generation", 3)
                .source('C', INTERVAL)
                .set("nic.qp.wqe_interval_cycles", 33)
                .source('B', "fitted: UD SEND latency of 2 B in the notes")
                .set("host.mmio_ns", 24)
                .build("cx4-100g", "ConnectX-4 class, 100 Gb/s InfiniBand EDR, PCIe Gen3 x16");
    }

    static Profile cx5() {
        return base().source('A', "public perftest logs of ConnectX-5 cards")
                .set("link.gbps", 100)
                .set("link.mtu", 1024)
                .source('C', "the logs do not print it; usual for the card")
                .set("pcie.generation", 3)
                .source(
                        'B',
                        "fitted: 7 M messages a second on one QP, flat from 2 to 1024 B, in the log of a GPU operator")
                .set("nic.qp.wqe_interval_cycles", 35)
                .source('B', "fitted: atomics a second in a log of two pods")
                .set("nic.atomic.cycles", 15)
                .source('B', "fitted: WRITE latency of 2 B in a log of two pods")
                .set("host.mmio_ns", 889)
                .build("cx5-100g", "ConnectX-5 class, 100 Gb/s RoCE, PCIe Gen3 x16");
    }

    static Profile cx6() {
        return infiniband(200, "public perftest log of a ConnectX-6 HDR cluster")
                .source('C', "the log does not print it; usual for the card")
                .set("pcie.generation", 4)
                .source('B', SLOPE)
                .set("link.switch", "store-and-forward")
                .source('C', "a usual InfiniBand switch")
                .set("link.switch_ns", 100)
                .source('B', "fitted: WRITE rates of 2 to 4096 B in the log, whose cores run at half their clock")
                .set("host.cpu.post_ns", 354)
                .source('B', "fitted: WRITE latency of 2 B in the log")
                .set("host.mmio_ns", 695)
                .source('B', "fitted: WRITE latency of 256 B and of 32 KB to 1 MB in the log; a virtual machine")
                .set("host.payload_read_ns", 1026)
                .source('B', "195 Gb/s at the read round trip of that host")
                .set("nic.dma.payload_outstanding_reads", 96)
                .build("cx6-200g", "ConnectX-6 class, 200 Gb/s InfiniBand HDR, PCIe Gen4 x16");
    }

    static Profile spark() {
        return ProfileBuilder.from(ConnectXProfiles.cx7())
                .source('A', "public measurements of a DGX Spark")
                .set("link.gbps", 200)
                .set("link.mtu", 1024)
                .set("pcie.lanes", 4)
                .source('B', "fitted: WRITE latency of 2 B")
                .set("host.mmio_ns", 783)
                .build("cx7-spark", "ConnectX-7 in a DGX Spark, 200 Gb/s RoCE, PCIe Gen5 x4");
    }

    private static ProfileBuilder infiniband(int gbps, String where) {
        return base().source('A', where).set("link.gbps", gbps).set("link.framing", "infiniband");
    }

    /** The newest card's limit of one queue pair is no limit of an older one with a slower line. */
    private static ProfileBuilder base() {
        return ProfileBuilder.from(ConnectXProfiles.cx7())
                .source('C', "enough for the line at the read round trip of these hosts")
                .set("nic.dma.payload_outstanding_reads", 64);
    }
}
