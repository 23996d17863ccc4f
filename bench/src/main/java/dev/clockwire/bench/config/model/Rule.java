package dev.clockwire.bench.config.model;

import java.util.Locale;

/** What is looked for in configuration. A rule's name is stable; scripts may rely on it. */
public enum Rule {
    // values and grammar
    /** See {@link #meaning}. */
    BAD_VALUE("error", "a value is none, or outside its range; the line has no effect"),
    /** See {@link #meaning}. */
    NOT_COMWARE("error", "the switch refuses the line: Comware has no such command"),
    /** See {@link #meaning}. */
    NO_SUCH_OPTION("error", "the program or file has no such option; the nearest one is named"),
    /** See {@link #meaning}. */
    NO_SUCH_SYSFS_FILE("error", "the kernel has no such file, or it cannot be written"),
    /** See {@link #meaning}. */
    SONIC_UNKNOWN_REFERENCE("error", "a table names a map, profile or scheduler that is not there"),
    /** See {@link #meaning}. */
    CEPH_SYNTAX("error", "a line of ceph.conf has no '='"),

    // priorities and maps
    /** See {@link #meaning}. */
    PFC_WITHOUT_TRAFFIC("warning", "PFC on a priority that no DSCP and no tag maps to: it protects nothing"),
    /** See {@link #meaning}. */
    DATA_CLASS_LOSSY("error", "the DSCP of RDMA traffic is in a priority without PFC: it is dropped under congestion"),
    /** See {@link #meaning}. */
    PFC_ONE_SIDED("error", "the two ends of a link have PFC on other priorities: pauses are sent and not obeyed"),
    /** See {@link #meaning}. */
    PFC_NOT_ENABLED("error", "no-drop priorities without priority-flow-control enable, or the reverse: PFC stays off"),
    /** See {@link #meaning}. */
    PFC_AUTO_WITHOUT_DCBX("warning", "PFC waits for what the far end says by DCBX, which one of both does not speak"),
    /** See {@link #meaning}. */
    DCBX_MISMATCH("warning", "after the exchange by DCBX the two ends of a link still differ"),
    /** See {@link #meaning}. */
    PFC_ON_MANY("warning", "PFC on more than two priorities: headroom is taken for each, and pauses spread"),
    /** See {@link #meaning}. */
    PFC_ON_CONTROL("note", "PFC on priority 0, 6 or 7: protocols of the switch itself, and CNPs, are paused too"),
    /** See {@link #meaning}. */
    CNP_IN_DATA_CLASS("warning", "CNPs are in the priority of data: they wait behind what they are to slow down"),
    /** See {@link #meaning}. */
    TRUST_NOT_DSCP("warning", "PFC, but the DSCP is not trusted: untagged RoCE v2 has the priority of the port"),
    /** See {@link #meaning}. */
    TOS_IS_NOT_DSCP("warning", "a type of service is DSCP x 4: the number that stands there is another DSCP"),
    /** See {@link #meaning}. */
    TC_SHARED("warning", "priorities with and without PFC share a traffic class: a pause stops both"),
    /** See {@link #meaning}. */
    QUEUE_SHARED("warning", "priorities with and without PFC share a queue"),

    // buffers and marks
    /** See {@link #meaning}. */
    KMIN_ABOVE_XOFF("warning", "marks begin above the threshold of pauses: PFC acts first, ECN never"),
    /** See {@link #meaning}. */
    KMAX_BELOW_KMIN("error", "the upper threshold of marks is below the lower one"),
    /** See {@link #meaning}. */
    HEADROOM_SHORT("error", "the headroom is less than what is under way when the sender is stopped: frames are lost"),
    /** See {@link #meaning}. */
    HEADROOM_MISSING("error", "a lossless priority has no headroom"),
    /** See {@link #meaning}. */
    XOFF_ABOVE_POOL("error", "a pause threshold, or all headrooms together, is more than the buffer has"),
    /** See {@link #meaning}. */
    OFFSET_ABOVE_XOFF("warning", "the resume offset is the threshold or more: a sender goes on only when all is empty"),
    /** See {@link #meaning}. */
    RECEIVE_BUFFER_SMALL(
            "error", "the receive buffer of a priority with PFC has no room, or is shared with one without"),
    /** See {@link #meaning}. */
    WRED_DROPS_LOSSLESS("error", "WRED without ECN on a lossless queue drops what PFC is to keep"),
    /** See {@link #meaning}. */
    WRED_NOT_APPLIED("warning", "a WRED table or profile that no port uses"),
    /** See {@link #meaning}. */
    ECN_AVERAGED("note", "marks go by an averaged queue and lag behind it by 2^n packets"),
    /** See {@link #meaning}. */
    ECN_INCOMPLETE("warning", "congestion control needs marks (CP), CNPs (NP) and rates (RP); one of them is off"),

    // links
    /** See {@link #meaning}. */
    MTU_MISMATCH("error", "a device takes shorter packets than another sends"),
    /** See {@link #meaning}. */
    ROCE_VERSION_MISMATCH("error", "hosts use other RoCE versions: they cannot connect"),
    /** See {@link #meaning}. */
    CABLE_MISMATCH("warning", "two ends of a link were told other lengths of the cable"),
    /** See {@link #meaning}. */
    GLOBAL_PAUSE_WITH_PFC("error", "IEEE 802.3x pauses and PFC exclude each other on a port"),

    // watchdog
    /** See {@link #meaning}. */
    WATCHDOG_TOO_SHORT("warning", "the watchdog fires before the longest legal pause is over"),
    /** See {@link #meaning}. */
    WATCHDOG_NOT_LOSSLESS("error", "deadlock detection of a priority without PFC"),

    // schedulers
    /** See {@link #meaning}. */
    TCBW_NOT_100("error", "shares of the traffic classes do not sum to 100, or one that is not ETS has a share"),
    /** See {@link #meaning}. */
    CNP_NOT_STRICT("note", "the priority of CNPs is not strict: under load they wait for their turn"),

    // applications
    /** See {@link #meaning}. */
    CEPH_POLLING_ZERO("warning", "ms_async_rdma_polling_us = 0 is event mode, not polling"),
    /** See {@link #meaning}. */
    CEPH_BUFFERS("note", "the receive buffers of a daemon are pinned memory; memlock must allow them"),
    /** See {@link #meaning}. */
    CEPH_TYPE("error", "the messenger does not use RDMA, or the name is none"),
    /** See {@link #meaning}. */
    RNR_RETRY_ZERO("note", "no retry when the receiver is not ready: one such answer ends the queue pair"),

    // one NIC
    /** See {@link #meaning}. */
    SETPCI_STOPS_DEVICE("error", "clears Memory Space or Bus Master"),
    /** See {@link #meaning}. */
    SETPCI_DEVICE_CONTROL_WHOLE("warning", "writes all of device control"),
    /** See {@link #meaning}. */
    SETPCI_NO_EFFECT("note", "changes no bit"),
    /** See {@link #meaning}. */
    SETPCI_MORE_THAN_SUPPORTED("warning", "a size beyond what the device can do"),
    /** See {@link #meaning}. */
    MLXCONFIG_NO_SUCH_PARAMETER("error", "the firmware has no such parameter"),
    /** See {@link #meaning}. */
    ROCE_NEXT_PROTOCOL_IS_NO_SWITCH("warning", "does not turn RoCE v2 on"),
    /** See {@link #meaning}. */
    LINK_TYPE_INFINIBAND("warning", "the port is no Ethernet port"),
    /** See {@link #meaning}. */
    OUTSTANDING_READS_OF_A_QUEUE_PAIR("note", "counts for each queue pair here"),
    /** See {@link #meaning}. */
    REACTION_POINT_NOT_SIMULATED("warning", "the simulated reaction point cannot have this value"),
    /** See {@link #meaning}. */
    BYTE_RESET_IS_OF_THE_PAPER("note", "counts in the reaction point of the paper only"),
    /** See {@link #meaning}. */
    ATS_NEEDS_AN_IOMMU("warning", "without an IOMMU nobody switches translations on"),
    /** See {@link #meaning}. */
    ETHTOOL_COALESCING_IS_ETHERNET("warning", "moderates Ethernet queues only"),
    /** See {@link #meaning}. */
    ETHTOOL_ADAPTIVE_HAS_NO_EFFECT("warning", "no command opens Ethernet queues"),
    /** See {@link #meaning}. */
    ETHTOOL_RING_IS_ETHERNET("note", "sizes Ethernet rings"),
    /** See {@link #meaning}. */
    ETHTOOL_CHANNELS_ARE_ETHERNET("note", "counts Ethernet queues"),
    /** See {@link #meaning}. */
    NIC_CLASS_IS_OF_DSCP("note", "the class of a packet in a simulated NIC is its DSCP / 8, whatever the host maps"),
    /** See {@link #meaning}. */
    GLOBAL_PAUSE_STOPS_ALL("warning", "ethtool -A: a pause of the link stops all priorities"),
    /** See {@link #meaning}. */
    RX_FCS_IS_NO_STEERING("note", "keeps or strips the FCS of received frames"),
    /** See {@link #meaning}. */
    STEERING_DOES_NOT_SEE_ROCE("note", "packets of queue pairs are taken before Ethernet steering"),
    /** See {@link #meaning}. */
    CMA_ROCE_MODE_READS("note", "only prints"),
    /** See {@link #meaning}. */
    CMA_ROCE_MODE_V1("warning", "RoCE v1 is not routed"),

    // SPDK
    /** See {@link #meaning}. */
    NO_SUCH_METHOD("error", "SPDK's target has no such JSON-RPC method; the nearest one is named"),
    /** See {@link #meaning}. */
    HUGEMEM_IS_OF_SETUP("warning", "HUGEMEM in front of SPDK's target: scripts/setup.sh reads it, the target does not"),
    /** See {@link #meaning}. */
    HAS_NO_EFFECT_HERE("note", "SPDK has it, and it changes nothing in the simulation");

    private final String severity;
    private final String meaning;

    Rule(String severity, String meaning) {
        this.severity = severity;
        this.meaning = meaning;
    }

    /** Returns the usual severity. */
    public String severity() {
        return severity;
    }

    /** Returns what the rule finds. */
    public String meaning() {
        return meaning;
    }

    /** Returns the stable name, with hyphens. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns a rule by its name with hyphens.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Rule of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
