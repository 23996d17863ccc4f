package dev.clockwire.roce.transport;

import static dev.clockwire.roce.transport.QpAttr.ACCESS_FLAGS;
import static dev.clockwire.roce.transport.QpAttr.ALT_PATH;
import static dev.clockwire.roce.transport.QpAttr.AV;
import static dev.clockwire.roce.transport.QpAttr.CUR_STATE;
import static dev.clockwire.roce.transport.QpAttr.DEST_QPN;
import static dev.clockwire.roce.transport.QpAttr.EN_SQD_ASYNC_NOTIFY;
import static dev.clockwire.roce.transport.QpAttr.MAX_DEST_RD_ATOMIC;
import static dev.clockwire.roce.transport.QpAttr.MAX_QP_RD_ATOMIC;
import static dev.clockwire.roce.transport.QpAttr.MIN_RNR_TIMER;
import static dev.clockwire.roce.transport.QpAttr.PATH_MIG_STATE;
import static dev.clockwire.roce.transport.QpAttr.PATH_MTU;
import static dev.clockwire.roce.transport.QpAttr.PKEY_INDEX;
import static dev.clockwire.roce.transport.QpAttr.PORT;
import static dev.clockwire.roce.transport.QpAttr.QKEY;
import static dev.clockwire.roce.transport.QpAttr.RETRY_CNT;
import static dev.clockwire.roce.transport.QpAttr.RNR_RETRY;
import static dev.clockwire.roce.transport.QpAttr.RQ_PSN;
import static dev.clockwire.roce.transport.QpAttr.SQ_PSN;
import static dev.clockwire.roce.transport.QpAttr.STATE;
import static dev.clockwire.roce.transport.QpAttr.TIMEOUT;
import static dev.clockwire.roce.transport.QpAttr.mask;
import static dev.clockwire.roce.transport.QpState.ERR;
import static dev.clockwire.roce.transport.QpState.INIT;
import static dev.clockwire.roce.transport.QpState.RESET;
import static dev.clockwire.roce.transport.QpState.RTR;
import static dev.clockwire.roce.transport.QpState.RTS;
import static dev.clockwire.roce.transport.QpState.SQD;
import static dev.clockwire.roce.transport.QpState.SQE;

import java.util.Arrays;

/**
 * Which state of a queue pair may follow which, and which attributes such a modify must and may carry. Every state but RESET
 * may go to ERR, every state to RESET, with no attribute at all. Source: the kernel's {@code qp_state_table}.
 */
public final class QpTransitions {
    private static final int STATES = QpState.values().length;
    private static final int TYPE_CODES = 5;
    private static final int NONE = -1;

    private static final int[] REQUIRED = new int[TYPE_CODES * STATES * STATES];
    private static final int[] OPTIONAL = new int[TYPE_CODES * STATES * STATES];

    static {
        Arrays.fill(REQUIRED, NONE);
        for (QpType type : QpType.values()) {
            for (QpState state : QpState.values()) {
                row(type, state, RESET, 0, 0);
                if (state != RESET) {
                    row(type, state, ERR, 0, 0);
                }
            }
            // The drain notification is the same for every service.
            row(type, RTS, SQD, 0, mask(EN_SQD_ASYNC_NOTIFY));
        }
        reliable();
        unreliableConnected();
        datagram();
    }

    private QpTransitions() {}

    private static void reliable() {
        int identity = mask(PKEY_INDEX, PORT, ACCESS_FLAGS);
        int running = mask(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE);
        row(QpType.RC, RESET, INIT, identity, 0);
        row(QpType.RC, INIT, INIT, 0, identity);
        int receive = mask(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER);
        row(QpType.RC, INIT, RTR, receive, mask(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
        row(QpType.RC, RTR, RTS, mask(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC), running);
        row(QpType.RC, RTS, RTS, 0, running);
        row(QpType.RC, SQD, RTS, 0, running);
        int path = mask(PORT, AV, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC);
        row(QpType.RC, SQD, SQD, 0, path | mask(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, MIN_RNR_TIMER, PATH_MIG_STATE));
        row(QpType.RC, SQE, RTS, 0, 0);
    }

    private static void unreliableConnected() {
        int identity = mask(PKEY_INDEX, PORT, ACCESS_FLAGS);
        int running = mask(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE);
        row(QpType.UC, RESET, INIT, identity, 0);
        row(QpType.UC, INIT, INIT, 0, identity);
        row(QpType.UC, INIT, RTR, mask(AV, PATH_MTU, DEST_QPN, RQ_PSN), mask(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
        row(QpType.UC, RTR, RTS, mask(SQ_PSN), running);
        row(QpType.UC, RTS, RTS, 0, running);
        row(QpType.UC, SQD, RTS, 0, running);
        row(QpType.UC, SQD, SQD, 0, mask(AV, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIG_STATE));
        row(QpType.UC, SQE, RTS, 0, mask(CUR_STATE, ACCESS_FLAGS));
    }

    private static void datagram() {
        int identity = mask(PKEY_INDEX, PORT, QKEY);
        int running = mask(CUR_STATE, QKEY);
        row(QpType.UD, RESET, INIT, identity, 0);
        row(QpType.UD, INIT, INIT, 0, identity);
        row(QpType.UD, INIT, RTR, 0, mask(PKEY_INDEX, QKEY));
        row(QpType.UD, RTR, RTS, mask(SQ_PSN), running);
        row(QpType.UD, RTS, RTS, 0, running);
        row(QpType.UD, SQD, RTS, 0, running);
        row(QpType.UD, SQD, SQD, 0, mask(PKEY_INDEX, QKEY));
        row(QpType.UD, SQE, RTS, 0, running);
    }

    private static void row(QpType type, QpState from, QpState to, int required, int optional) {
        int index = index(type, from, to);
        REQUIRED[index] = required;
        OPTIONAL[index] = optional;
    }

    /** Tells whether a modify may lead from one state to the other. */
    public static boolean allowed(QpType type, QpState from, QpState to) {
        return REQUIRED[index(type, from, to)] != NONE;
    }

    /** Returns the C mask of the attributes that an allowed transition must carry, besides STATE. */
    public static int required(QpType type, QpState from, QpState to) {
        return Math.max(0, REQUIRED[index(type, from, to)]);
    }

    /** Returns the C mask of the attributes that an allowed transition may carry besides. */
    public static int optional(QpType type, QpState from, QpState to) {
        return OPTIONAL[index(type, from, to)];
    }

    /** Returns the attributes that are missing in a mask, as a C mask. */
    public static int missing(QpType type, QpState from, QpState to, int mask) {
        return required(type, from, to) & ~mask;
    }

    /** Returns the attributes of a mask that the transition does not take, as a C mask; STATE always is taken. */
    public static int surplus(QpType type, QpState from, QpState to, int mask) {
        return mask & ~(required(type, from, to) | optional(type, from, to) | STATE.bit());
    }

    private static int index(QpType type, QpState from, QpState to) {
        return (type.code() * STATES + from.code()) * STATES + to.code();
    }
}
