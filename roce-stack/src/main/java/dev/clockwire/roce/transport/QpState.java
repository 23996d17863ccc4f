package dev.clockwire.roce.transport;

/** The state of a queue pair ({@code ibv_qp_state}). */
public enum QpState {
    /** Just created: nothing may be posted. */
    RESET(0),
    /** Receives may be posted. */
    INIT(1),
    /** Ready to receive: incoming requests are executed. */
    RTR(2),
    /** Ready to send: everything works. */
    RTS(3),
    /** Send queue drained or draining: started messages end, no new one starts. */
    SQD(4),
    /** Send queue error of UC and UD: sends are flushed, receives go on. */
    SQE(5),
    /** Error: everything is flushed. */
    ERR(6);

    private static final int ACCEPT_REQUESTS = mask(RTR, RTS, SQD, SQE);
    private static final int ACCEPT_RESPONSES = mask(RTS, SQD);
    private static final int POST_SEND = mask(RTS, SQD, SQE, ERR);

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }

    /** Tells whether an incoming request packet is looked at; otherwise it is dropped in silence. */
    public boolean acceptsRequests() {
        return in(ACCEPT_REQUESTS);
    }

    /** Tells whether an incoming response packet is looked at; otherwise it is dropped in silence. */
    public boolean acceptsResponses() {
        return in(ACCEPT_RESPONSES);
    }

    /** Tells whether a send may be posted; in {@link #SQE} and {@link #ERR} it is flushed. */
    public boolean allowsPostSend() {
        return in(POST_SEND);
    }

    /** Tells whether a receive may be posted; in {@link #ERR} it is flushed. */
    public boolean allowsPostReceive() {
        return this != RESET;
    }

    private boolean in(int mask) {
        return (mask >> code & 1) != 0;
    }

    private static int mask(QpState... states) {
        int mask = 0;
        for (QpState state : states) {
            mask |= 1 << state.code;
        }
        return mask;
    }
}
