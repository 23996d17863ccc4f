package dev.clockwire.nic.ether;

/** Frames that were not delivered, and what was done about checksums, by the names of {@code ethtool -S}. */
public enum EthCounter {
    /** No receive was posted. */
    RX_OUT_OF_BUFFER(0, "rx_out_of_buffer", "Received frames that found no receive posted"),
    /** Wrong frame check sequence. */
    RX_CRC_ERRORS(1, "rx_crc_errors_phy", "Received frames with a wrong check sequence"),
    /** Longer than the MTU allows. */
    RX_OVERSIZE(2, "rx_oversize_pkts_phy", "Received frames longer than the MTU allows"),
    /** Longer than the receive. */
    RX_TOO_LONG(3, "rx_oversize_pkts_buffer", "Received frames longer than the receive posted for them"),
    /** Nobody's. */
    RX_MISSED(4, "rx_steer_missed_packets", "Received frames for another address that no rule is about"),
    /** A rule says so. */
    RX_RULE_DROPS(5, "rx_flow_rule_drops", "Received frames that a flow rule drops"),
    /** Not understood, or not read. */
    TX_ERRORS(6, "tx_cqe_err", "Send WQEs that made no sense or, as their bytes, could not be read"),
    /** An IP frame whose checksums are right, if it has any. */
    RX_CSUM_COMPLETE(7, "rx_csum_complete", "Received IP frames handed over with a checksum over all of them"),
    /** Nothing was found out. */
    RX_CSUM_NONE(8, "rx_csum_none", "Received frames without IP, whose checksums software has to check"),
    /** A wrong one. */
    RX_CSUM_ERRORS(9, "rx_csum_err", "Received frames with a wrong checksum of IP, TCP or UDP"),
    /** The device made one. */
    TX_CSUM_PARTIAL(10, "tx_csum_partial", "Sent frames whose checksums the device made"),
    /** The device made none. */
    TX_CSUM_NONE(11, "tx_csum_none", "Sent frames as software made them"),
    /** The receive says nothing. */
    RX_WQE_ERRORS(12, "rx_wqe_err", "Received frames dropped as the receive posted for them could not be read");

    /** Places of a table of counters. */
    static final int COUNT = 13;

    private final int at;
    private final String text;
    private final String meaning;

    EthCounter(int at, String text, String meaning) {
        this.at = at;
        this.text = text;
        this.meaning = meaning;
    }

    /** Returns its place in a table of counters. */
    int at() {
        return at;
    }

    /** Whether a device without checksums has it too. */
    public boolean isUsual() {
        return at <= TX_ERRORS.at || this == RX_WQE_ERRORS;
    }

    /** Returns the name as the tool prints it. */
    public String text() {
        return text;
    }

    /** Returns one sentence. */
    public String meaning() {
        return meaning;
    }
}
