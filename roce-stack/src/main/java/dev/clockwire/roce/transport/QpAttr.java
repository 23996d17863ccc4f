package dev.clockwire.roce.transport;

/** An attribute of a queue pair that a modify can set ({@code ibv_qp_attr_mask}). */
public enum QpAttr {
    /** The state to go to. */
    STATE(0),
    /** The state that the caller believes the queue pair is in. */
    CUR_STATE(1),
    /** Ask for an event when the send queue has drained. */
    EN_SQD_ASYNC_NOTIFY(2),
    /** Remote access that the queue pair allows. */
    ACCESS_FLAGS(3),
    /** Index of the partition key. */
    PKEY_INDEX(4),
    /** Physical port, from 1. */
    PORT(5),
    /** Queue key of a datagram queue pair. */
    QKEY(6),
    /** Address vector: the path to the peer. */
    AV(7),
    /** Path MTU. */
    PATH_MTU(8),
    /** Acknowledge timeout, 5 bits: 4.096 us * 2^n, 0 = never. */
    TIMEOUT(9),
    /** Retries after timeout or sequence error, 3 bits. */
    RETRY_CNT(10),
    /** Retries after receiver-not-ready, 3 bits, 7 = endless. */
    RNR_RETRY(11),
    /** First PSN that the responder expects. */
    RQ_PSN(12),
    /** READs and atomics that the requester may have outstanding. */
    MAX_QP_RD_ATOMIC(13),
    /** Alternate path; not on RoCE. */
    ALT_PATH(14),
    /** Shortest wait that a receiver-not-ready asks for, 5 bits. */
    MIN_RNR_TIMER(15),
    /** First PSN that the requester sends. */
    SQ_PSN(16),
    /** READs and atomics that the responder keeps. */
    MAX_DEST_RD_ATOMIC(17),
    /** Path migration state; not on RoCE. */
    PATH_MIG_STATE(18),
    /** Capacities; only some devices resize. */
    CAP(19),
    /** Queue pair number of the peer. */
    DEST_QPN(20),
    /** Packet pacing. */
    RATE_LIMIT(25);

    private final int bit;

    QpAttr(int bit) {
        this.bit = 1 << bit;
    }

    /** Returns the bit of this attribute in the C mask. */
    public int bit() {
        return bit;
    }

    /** Returns the C mask of some attributes. */
    public static int mask(QpAttr... attributes) {
        int mask = 0;
        for (QpAttr attribute : attributes) {
            mask |= attribute.bit;
        }
        return mask;
    }

    /** Returns the names of the attributes in a mask, joined by {@code |}; empty for 0. */
    public static String names(int mask) {
        StringBuilder text = new StringBuilder();
        for (QpAttr attribute : values()) {
            if ((mask & attribute.bit) != 0) {
                text.append(text.length() == 0 ? "" : "|").append(attribute.name());
            }
        }
        return text.toString();
    }
}
