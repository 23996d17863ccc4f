package dev.clockwire.roce.transport;

/** How a work request ended ({@code ibv_wc_status}); the ordinal is the C value. */
public enum WcStatus {
    /** It was done. */
    SUCCESS("success"),
    /** Local: message longer than allowed, or than the posted buffer. */
    LOC_LEN_ERR("local length error"),
    /** Local: malformed or unsupported work request. */
    LOC_QP_OP_ERR("local QP operation error"),
    /** Reliable datagram only. */
    LOC_EEC_OP_ERR("local EE context operation error"),
    /** Local: key, domain, range or right of a scatter/gather entry. */
    LOC_PROT_ERR("local protection error"),
    /** The queue pair was in error when the request's turn came. */
    WR_FLUSH_ERR("work request flushed error"),
    /** Binding a memory window was refused. */
    MW_BIND_ERR("memory bind operation error"),
    /** The peer sent a response that does not belong here. */
    BAD_RESP_ERR("bad response error"),
    /** Responder: protection error on the local data of an incoming write with immediate. */
    LOC_ACCESS_ERR("local access error"),
    /** The peer refused the request as invalid (NAK 0x61). */
    REM_INV_REQ_ERR("remote invalid request error"),
    /** The peer refused the access (NAK 0x62). */
    REM_ACCESS_ERR("remote access error"),
    /** The peer failed (NAK 0x63). */
    REM_OP_ERR("remote operation error"),
    /** No acknowledgement after all retries. */
    RETRY_EXC_ERR("transport retry counter exceeded"),
    /** The receiver was not ready after all retries. */
    RNR_RETRY_EXC_ERR("RNR retry counter exceeded"),
    /** Reliable datagram only. */
    LOC_RDD_VIOL_ERR("local RDD violation error"),
    /** Reliable datagram only (NAK 0x64). */
    REM_INV_RD_REQ_ERR("remote invalid RD request"),
    /** The peer aborted. */
    REM_ABORT_ERR("aborted error"),
    /** Reliable datagram only. */
    INV_EECN_ERR("invalid EE context number"),
    /** Reliable datagram only. */
    INV_EEC_STATE_ERR("invalid EE context state"),
    /** The device failed. */
    FATAL_ERR("fatal error"),
    /** A management datagram was not answered. */
    RESP_TIMEOUT_ERR("response timeout error"),
    /** Anything else. */
    GENERAL_ERR("general error"),
    /** Tag matching failed. */
    TM_ERR("TM error"),
    /** The rendezvous is left to software. */
    TM_RNDV_INCOMPLETE("TM software rendezvous");

    private static final WcStatus[] ALL = values();

    private final String text;

    WcStatus(String text) {
        this.text = text;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return ordinal();
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
