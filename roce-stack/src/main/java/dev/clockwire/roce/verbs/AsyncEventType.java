package dev.clockwire.roce.verbs;

/** What happened beside the completions ({@code ibv_event_type}). */
public enum AsyncEventType {
    /** A completion queue overflowed or broke. */
    CQ_ERR(0, Subject.CQ),
    /** A queue pair failed. */
    QP_FATAL(1, Subject.QP),
    /** A queue pair refused a request as invalid. */
    QP_REQ_ERR(2, Subject.QP),
    /** A queue pair refused a request's access. */
    QP_ACCESS_ERR(3, Subject.QP),
    /** A queue pair got its first good packet. */
    COMM_EST(4, Subject.QP),
    /** A send queue has drained. */
    SQ_DRAINED(5, Subject.QP),
    /** The device failed. */
    DEVICE_FATAL(8, Subject.DEVICE),
    /** A port came up. */
    PORT_ACTIVE(9, Subject.DEVICE),
    /** A port went down. */
    PORT_ERR(10, Subject.DEVICE),
    /** A shared receive queue failed. */
    SRQ_ERR(14, Subject.SRQ),
    /** A shared receive queue has fewer receives than its limit. */
    SRQ_LIMIT_REACHED(15, Subject.SRQ),
    /** A queue pair holds no receive of its shared queue any more. */
    QP_LAST_WQE_REACHED(16, Subject.QP);

    /** The kinds of objects that events tell of. */
    enum Subject {
        QP,
        CQ,
        SRQ,
        DEVICE
    }

    private final int code;
    private final Subject subject;

    AsyncEventType(int code, Subject subject) {
        this.code = code;
        this.subject = subject;
    }

    Subject subject() {
        return subject;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }
}
