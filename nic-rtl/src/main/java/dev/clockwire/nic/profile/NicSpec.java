package dev.clockwire.nic.profile;

import dev.clockwire.roce.transport.AckTimeout;

/**
 * The parameters of the NIC's blocks; {@link Parameters} says what each means. Latencies in core cycles.
 *
 * @param payloadSupported largest PCIe payload that the device could be set to, in bytes
 * @param lanesSupported PCIe lanes that the card has, of which a slot may have fewer
 * @param coreMhz clock of the blocks
 * @param datapathBytes width of the packet bus
 */
public record NicSpec(
        int payloadSupported,
        int lanesSupported,
        int coreMhz,
        int datapathBytes,
        boolean blueflame,
        boolean doorbellCarriesPi,
        boolean packedUar,
        boolean bar32,
        int doorbellCycles,
        int outstandingFetches,
        int fetchBatch,
        int parseCycles,
        int qpcCycles,
        IcmSpec icm,
        int eecCycles,
        int mttCycles,
        boolean lookupIncludesParser,
        int payloadOutstandingReads,
        boolean storeWholeMessages,
        int gatherCycles,
        int bufferPackets,
        int deviceMemoryBytes,
        int wqeIntervalCycles,
        int ackTimeoutPercent,
        int maxRdAtomic,
        boolean credits,
        boolean refuseExcessReads,
        RateSpec rate,
        boolean relaxedWrites,
        int headerCycles,
        int icrcCycles,
        int arbiterCycles,
        boolean cutThrough,
        int thresholdBeats,
        int txCrossingCycles,
        int pcsCycles,
        int rxCrossingCycles,
        int rxParseCycles,
        int rxLookupCycles,
        int ackCycles,
        int atomicCycles,
        int completionCycles,
        int mtu,
        QueueSpec queues,
        CongestionSpec congestion,
        OffloadSpec offload,
        boolean roceV1) {

    private static final int PERCENT = 100;

    /** Returns the time after which a device notices that an acknowledgement with a nominal timeout has not come. */
    public long ackTimeoutPs(int code) {
        return code == 0 ? AckTimeout.ps(code) : AckTimeout.ps(code) / PERCENT * ackTimeoutPercent;
    }

    private static int lanes(Profile p) {
        String supported = p.text("pcie.lanes_supported");
        return supported.equals("link") ? p.integer("pcie.lanes") : Integer.parseInt(supported);
    }

    /** Reads the parameters out of a profile. */
    public static NicSpec from(Profile p) {
        return new NicSpec(
                p.integer("pcie.mps_supported"),
                lanes(p),
                p.integer("nic.core_mhz"),
                p.integer("nic.datapath_bytes"),
                p.flag("nic.blueflame"),
                p.flag("nic.doorbell.carries_pi"),
                p.text("nic.uar.layout").equals("packed"),
                p.flag("nic.bar32"),
                p.integer("nic.doorbell.cycles"),
                p.integer("nic.wqe.outstanding_fetches"),
                p.integer("nic.wqe.fetch_batch"),
                p.integer("nic.wqe.parse_cycles"),
                p.integer("nic.lookup.qpc_cycles"),
                IcmSpec.from(p),
                p.integer("nic.lookup.eec_cycles"),
                p.integer("nic.lookup.mtt_cycles"),
                p.flag("nic.lookup.includes_parser"),
                p.integer("nic.dma.payload_outstanding_reads"),
                p.text("nic.dma.store_and_forward").equals("message"),
                p.integer("nic.dma.gather_cycles"),
                p.integer("nic.dma.buffer_packets"),
                p.integer("nic.dm.bytes"),
                p.integer("nic.qp.wqe_interval_cycles"),
                (int) Math.round(PERCENT * p.number("nic.qp.ack_timeout_factor")),
                p.integer("nic.qp.max_rd_atomic"),
                p.flag("nic.qp.credits"),
                p.flag("nic.qp.refuse_excess_reads"),
                RateSpec.from(p),
                p.text("nic.pci_wr_ordering").equals("force_relax"),
                p.integer("nic.tx.header_cycles"),
                p.integer("nic.tx.icrc_cycles"),
                p.integer("nic.mac.arbiter_cycles"),
                p.flag("nic.mac.cut_through"),
                p.integer("nic.mac.threshold_beats"),
                p.integer("nic.mac.crossing_cycles"),
                p.integer("nic.mac.pcs_cycles"),
                p.integer("nic.rx.crossing_cycles"),
                p.integer("nic.rx.parse_cycles"),
                p.integer("nic.rx.lookup_cycles"),
                p.integer("nic.rx.ack_cycles"),
                p.integer("nic.atomic.cycles"),
                p.integer("nic.completion.cycles"),
                p.integer("link.mtu"),
                QueueSpec.from(p),
                CongestionSpec.from(p),
                OffloadSpec.from(p),
                p.text("nic.roce_version").equals("v1"));
    }

    /** Returns the beats that so many bytes take on the packet bus. */
    public int beats(int bytes) {
        return (bytes + datapathBytes - 1) / datapathBytes;
    }
}
