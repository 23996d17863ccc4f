package dev.clockwire.nic.format;

import dev.clockwire.roce.transport.WcStatus;

/** Error codes of the CQE (mlx5) and the completion status each stands for. */
public final class CqeSyndrome {
    private CqeSyndrome() {}

    /** Returns the code of a status, 0 for success. */
    public static int of(WcStatus status) {
        return switch (status) {
            case SUCCESS -> 0x00;
            case LOC_LEN_ERR -> 0x01;
            case LOC_QP_OP_ERR -> 0x02;
            case LOC_PROT_ERR -> 0x04;
            case WR_FLUSH_ERR -> 0x05;
            case MW_BIND_ERR -> 0x06;
            case BAD_RESP_ERR -> 0x10;
            case LOC_ACCESS_ERR -> 0x11;
            case REM_INV_REQ_ERR -> 0x12;
            case REM_ACCESS_ERR -> 0x13;
            case REM_OP_ERR -> 0x14;
            case RETRY_EXC_ERR -> 0x15;
            case RNR_RETRY_EXC_ERR -> 0x16;
            case REM_ABORT_ERR -> 0x22;
            default -> 0xFF;
        };
    }

    /** Returns the status of a code. */
    public static WcStatus status(int code) {
        for (WcStatus status : WcStatus.values()) {
            if (of(status) == code && code != 0xFF) {
                return status;
            }
        }
        return WcStatus.GENERAL_ERR;
    }
}
