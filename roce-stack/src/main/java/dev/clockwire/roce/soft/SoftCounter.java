package dev.clockwire.roce.soft;

/** What a device counts, under the names that drivers show: {@code hw_counters} of mlx5, port attributes of verbs. */
public enum SoftCounter {
    /** Received packets with a wrong ICRC. */
    ICRC_ERROR("rx_icrc_encapsulated", "Received packets with a wrong ICRC"),
    /** Received packets of another transport version, or with an opcode that no service has. */
    BAD_VERSION("rx_bad_tver", "Received packets with another transport version"),
    /** Received packets for no queue pair, or for one of another service. */
    BAD_QP("rx_bad_qpn", "Received packets for no queue pair, or for one of another service"),
    /** Received packets for a queue pair in a state that takes none. */
    BAD_STATE("rx_bad_state", "Received packets for a queue pair in a state that takes none"),
    /** Received packets from or for another address. */
    BAD_ADDRESS("rx_bad_address", "Received packets from or for another address"),
    /** Received packets of another partition. */
    BAD_PKEY("bad_pkey_cntr", "Received packets of another partition"),
    /** Received datagrams with another queue key. */
    BAD_QKEY("qkey_viol_cntr", "Received datagrams with another queue key"),
    /** Unreliable requests that RC would refuse. */
    INVALID("rx_invalid", "Unreliable requests that RC would refuse"),
    /** Packets of unreliable messages that have a gap. */
    MESSAGE_LOST("rx_message_lost", "Packets of unreliable messages that have a gap"),
    /** Requests ahead of the expected PSN. */
    OUT_OF_SEQUENCE("out_of_sequence", "Requests ahead of the expected PSN"),
    /** Requests that came again. */
    DUPLICATE("duplicate_request", "Requests that came again"),
    /** Requests that found no receive work request. */
    OUT_OF_BUFFER("out_of_buffer", "Requests that found no receive work request"),
    /** WRITEs of peers. */
    WRITE_REQUEST("rx_write_requests", "WRITEs of peers"),
    /** READs of peers. */
    READ_REQUEST("rx_read_requests", "READs of peers"),
    /** Atomics of peers. */
    ATOMIC_REQUEST("rx_atomic_requests", "Atomics of peers"),
    /** Sequence errors that peers reported. */
    SEQUENCE_NAK("packet_seq_err", "Sequence errors that peers reported"),
    /** Answers from behind a READ or atomic that has none. */
    IMPLIED_NAK("implied_nak_seq_err", "Answers from behind a READ or atomic that has none"),
    /** Acknowledge timeouts. */
    TIMEOUT("local_ack_timeout_err", "Acknowledge timeouts"),
    /** Receivers that were not ready. */
    RNR_NAK("rnr_nak_retry_err", "Receivers that were not ready"),
    /** Answers that no request waits for. */
    OLD_RESPONSE("rx_old_response", "Answers that no request waits for"),
    /** Own requests refused for access. */
    REMOTE_ACCESS_ERROR("req_remote_access_errors", "Own requests refused for access"),
    /** Own requests refused as invalid. */
    REMOTE_INVALID_REQUEST("req_remote_invalid_request", "Own requests refused as invalid"),
    /** Requests of peers refused for access. */
    ACCESS_REFUSED("resp_remote_access_errors", "Requests of peers refused for access"),
    /** Requests of peers refused as invalid. */
    INVALID_REFUSED("resp_remote_invalid_request", "Requests of peers refused as invalid"),
    /** Messages longer than their receive. */
    LENGTH_ERROR("resp_local_length_error", "Messages longer than their receive"),
    /** Sends completed with an error. */
    SEND_ERROR("req_cqe_error", "Sends completed with an error"),
    /** Receives completed with an error. */
    RECEIVE_ERROR("resp_cqe_error", "Receives completed with an error"),
    /** Sends flushed. */
    SEND_FLUSHED("req_cqe_flush_error", "Sends flushed"),
    /** Receives flushed. */
    RECEIVE_FLUSHED("resp_cqe_flush_error", "Receives flushed");

    private final String title;
    private final String description;

    SoftCounter(String title, String description) {
        this.title = title;
        this.description = description;
    }

    /** Returns the name in statistics, below the path of the device. */
    public String title() {
        return title;
    }

    /** Returns what is counted. */
    public String description() {
        return description;
    }
}
