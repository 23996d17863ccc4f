package dev.clockwire.roce.transport;

/** How a work request ended ({@code ibv_wc_status}). */
public enum WcStatus {
    /** It was done. */
    SUCCESS(0, "success"),
    /** Local: message longer than allowed, or than the posted buffer. */
    LOC_LEN_ERR(1, "local length error"),
    /** Local: malformed or unsupported work request. */
    LOC_QP_OP_ERR(2, "local QP operation error"),
    /** Reliable datagram only. */
    LOC_EEC_OP_ERR(3, "local EE context operation error"),
    /** Local: key, domain, range or right of a scatter/gather entry. */
    LOC_PROT_ERR(4, "local protection error"),
    /** The queue pair was in error when the request's turn came. */
    WR_FLUSH_ERR(5, "work request flushed error"),
    /** Binding a memory window was refused. */
    MW_BIND_ERR(6, "memory bind operation error"),
    /** The peer sent a response that does not belong here. */
    BAD_RESP_ERR(7, "bad response error"),
    /** Responder: protection error on the local data of an incoming write with immediate. */
    LOC_ACCESS_ERR(8, "local access error"),
    /** The peer refused the request as invalid (NAK 0x61). */
    REM_INV_REQ_ERR(9, "remote invalid request error"),
    /** The peer refused the access (NAK 0x62). */
    REM_ACCESS_ERR(10, "remote access error"),
    /** The peer failed (NAK 0x63). */
    REM_OP_ERR(11, "remote operation error"),
    /** No acknowledgement after all retries. */
    RETRY_EXC_ERR(12, "transport retry counter exceeded"),
    /** The receiver was not ready after all retries. */
    RNR_RETRY_EXC_ERR(13, "RNR retry counter exceeded"),
    /** Reliable datagram only. */
    LOC_RDD_VIOL_ERR(14, "local RDD violation error"),
    /** Reliable datagram only (NAK 0x64). */
    REM_INV_RD_REQ_ERR(15, "remote invalid RD request"),
    /** The peer aborted. */
    REM_ABORT_ERR(16, "aborted error"),
    /** Reliable datagram only. */
    INV_EECN_ERR(17, "invalid EE context number"),
    /** Reliable datagram only. */
    INV_EEC_STATE_ERR(18, "invalid EE context state"),
    /** The device failed. */
    FATAL_ERR(19, "fatal error"),
    /** A management datagram was not answered. */
    RESP_TIMEOUT_ERR(20, "response timeout error"),
    /** Anything else. */
    GENERAL_ERR(21, "general error"),
    /** Tag matching failed. */
    TM_ERR(22, "TM error"),
    /** The rendezvous is left to software. */
    TM_RNDV_INCOMPLETE(23, "TM software rendezvous");

    private static final WcStatus[] ALL = values();

    private final int code;
    private final String text;

    WcStatus(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }

    /** Returns the status of a C value, {@link #GENERAL_ERR} if it is none. */
    public static WcStatus of(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : GENERAL_ERR;
    }

    /** Returns the words that tools print. */
    public String text() {
        return text;
    }
}
