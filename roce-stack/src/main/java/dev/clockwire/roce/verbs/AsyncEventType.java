package dev.clockwire.roce.verbs;

/** What happened beside the completions ({@code ibv_event_type}). */
public enum AsyncEventType {
    /** A completion queue overflowed or broke. */
    CQ_ERR(0),
    /** A queue pair failed. */
    QP_FATAL(1),
    /** A queue pair refused a request as invalid. */
    QP_REQ_ERR(2),
    /** A queue pair refused a request's access. */
    QP_ACCESS_ERR(3),
    /** A queue pair got its first good packet. */
    COMM_EST(4),
    /** A send queue has drained. */
    SQ_DRAINED(5),
    /** The device failed. */
    DEVICE_FATAL(8),
    /** A port came up. */
    PORT_ACTIVE(9),
    /** A port went down. */
    PORT_ERR(10),
    /** A shared receive queue failed. */
    SRQ_ERR(14),
    /** A shared receive queue has fewer receives than its limit. */
    SRQ_LIMIT_REACHED(15),
    /** A queue pair holds no receive of its shared queue any more. */
    QP_LAST_WQE_REACHED(16);

    private final int code;

    AsyncEventType(int code) {
        this.code = code;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }
}
