package dev.clockwire.nic.ether;

/** Frames that were not delivered, by the names of {@code ethtool -S}. */
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
    TX_ERRORS(6, "tx_cqe_err", "Send WQEs that made no sense, or whose bytes could not be read");

    /** Places of a table of counters. */
    static final int COUNT = 7;

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

    /** Returns the name as the tool prints it. */
    public String text() {
        return text;
    }

    /** Returns one sentence. */
    public String meaning() {
        return meaning;
    }
}
