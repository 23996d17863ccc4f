package dev.clockwire.bench.config.model;

/** What can be set for a port, or for all ports of a device. */
public enum PortKey {
    /** Rate of the line. */
    GBPS("Gb/s"),
    /** Largest IP packet. */
    MTU("B"),
    /** Length of the cable. */
    CABLE("m"),
    /** PFC: 0 off, 1 on, 2 as the far end says. */
    PFC_MODE(""),
    /** DCBX is spoken: its settings are told to the far end; a host's firmware is willing to take those of a switch over. */
    DCBX(""),
    /** IEEE 802.3x pause of the whole link. */
    GLOBAL_PAUSE(""),
    /** What decides about the priority of a packet: 0 the port, 1 its tag, 2 its DSCP. */
    TRUST(""),
    /** Priority of a packet whose own is not looked at. */
    PORT_PRIORITY(""),
    /** Watchdog: time until a paused queue counts as stormed. */
    DETECT_MS("ms"),
    /** Watchdog: time without pauses until it does not. */
    RESTORE_MS("ms"),
    /** Watchdog: drops, else forwards. */
    STORM_DROP(""),
    /** Bytes that all lossless classes share. */
    POOL("B"),
    /** Bytes of a headroom that all ports share. */
    POOL_XOFF("B"),
    /** Bytes of an egress or ingress buffer as a whole. */
    BUFFER("B"),
    /** Bytes that a cell of the buffer has. */
    CELL("B"),
    /** Quanta that an XOFF asks for. */
    QUANTA(""),
    /** Code point of data. */
    DATA_DSCP(""),
    /** Code point of congestion notifications. */
    CNP_DSCP(""),
    /** Priority of congestion notifications. */
    CNP_PRIORITY(""),
    /** Least time between notifications. */
    CNP_US("us"),
    /** Local ACK timeout: 4.096 us x 2^n. */
    TIMEOUT(""),
    /** Timeouts in a row until a queue pair fails. */
    RETRIES(""),
    /** RoCE version that connections use. */
    ROCE(""),
    /** Reaction point: additive increase. */
    AI_MBPS("Mb/s"),
    /** Reaction point: hyper increase. */
    HAI_MBPS("Mb/s"),
    /** Reaction point: time between increases. */
    TIMER_US("us"),
    /** Reaction point: bytes between increases, 0 = none. */
    VOLUME("B"),
    /** Reaction point: stages of fast recovery. */
    STAGES(""),
    /** Reaction point: lowest rate. */
    FLOOR_MBPS("Mb/s"),
    /** Reaction point: what a cut leaves at least. */
    LEFT("%"),
    /** Reaction point: what alpha keeps at each update, of 1024. */
    KEEP("/1024"),
    /** Reaction point: time between updates of alpha. */
    ALPHA_US("us"),
    /** Reaction point: time between cuts. */
    MONITOR_US("us"),
    /** Reaction point: rate after the first notification, 0 = not forced. */
    FIRST_MBPS("Mb/s"),
    /** Reaction point: every cut lowers the target. */
    CLAMP("");

    private final String unit;

    PortKey(String unit) {
        this.unit = unit;
    }

    /** Returns the unit, empty if there is none. */
    public String unit() {
        return unit;
    }
}
