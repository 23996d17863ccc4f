package dev.clockwire.sim.trace;

import java.util.List;

/**
 * The causes of delays and their numbers in a simulation. The names are fixed, for scripts; {@code Sim.causes()} has the numbers.
 *
 * <p>A block stamps a cause where the wait ends, and only if the operation would have gone on without it: the time a cache needs on a hit
 * is the work of its stage, what a miss adds is a delay.
 */
public final class Causes {
    /** All names, in the order of their numbers here. */
    public static final List<String> NAMES = List.of(
            "qpc_miss",
            "cqc_miss",
            "mtt_miss",
            "mpt_miss",
            "wqe_miss",
            "iotlb_miss",
            "pcie_credit",
            "pcie_replay",
            "pcie_ordering",
            "scheduler",
            "fetch_queue",
            "rate",
            "numa",
            "ddio",
            "host_stall",
            "moderation",
            "interrupt",
            "preemption",
            "rnr",
            "retransmit",
            "cq_record");

    /** A QP context was not on the chip. */
    public final int qpcMiss;
    /** A completion queue's context was not on the chip. */
    public final int cqcMiss;
    /** A translation entry was not on the chip. */
    public final int mttMiss;
    /** A memory protection entry was not on the chip. */
    public final int mptMiss;
    /** A WQE that had been read ahead, or should have been, was not on the chip. */
    public final int wqeMiss;
    /** The IOMMU had to walk its page tables. */
    public final int iotlbMiss;
    /** A TLP waited for flow-control credits or a tag. */
    public final int pcieCredit;
    /** A TLP was sent again after a link error. */
    public final int pcieReplay;
    /** A TLP waited for one before it only because the ordering rules say so. */
    public final int pcieOrdering;
    /** Another queue pair was served first. */
    public final int scheduler;
    /** The WQE fetch engine was busy with other fetches. */
    public final int fetchQueue;
    /** The queue pair was out of tokens. */
    public final int rate;
    /** Memory or device on the other socket. */
    public final int numa;
    /** Data went to memory instead of the cache. */
    public final int ddio;
    /** The host's memory stood still, as for a refresh. */
    public final int hostStall;
    /** The device held an event or a completion back to join it with others. */
    public final int moderation;
    /** Delivery of an interrupt to a core. */
    public final int interrupt;
    /** Something else ran on the core. */
    public final int preemption;
    /** The receiver had no receive posted. */
    public final int rnr;
    /** A packet was lost and sent again. */
    public final int retransmit;
    /** The device asked how far the driver had emptied a completion queue that was full. */
    public final int cqRecord;

    /** Enters the names into a registry. */
    public Causes(StageRegistry names) {
        qpcMiss = names.id("qpc_miss");
        cqcMiss = names.id("cqc_miss");
        mttMiss = names.id("mtt_miss");
        mptMiss = names.id("mpt_miss");
        wqeMiss = names.id("wqe_miss");
        iotlbMiss = names.id("iotlb_miss");
        pcieCredit = names.id("pcie_credit");
        pcieReplay = names.id("pcie_replay");
        pcieOrdering = names.id("pcie_ordering");
        scheduler = names.id("scheduler");
        fetchQueue = names.id("fetch_queue");
        rate = names.id("rate");
        numa = names.id("numa");
        ddio = names.id("ddio");
        hostStall = names.id("host_stall");
        moderation = names.id("moderation");
        interrupt = names.id("interrupt");
        preemption = names.id("preemption");
        rnr = names.id("rnr");
        retransmit = names.id("retransmit");
        cqRecord = names.id("cq_record");
    }
}
