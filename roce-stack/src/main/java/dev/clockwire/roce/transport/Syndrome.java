package dev.clockwire.roce.transport;

import org.jspecify.annotations.Nullable;

/**
 * Codes of the AETH syndrome byte: bits 6:5 are the kind, bits 4:0 a value. An acknowledgement's value is a credit code, a
 * receiver-not-ready's is a timer code, a refusal's is its cause. Source: InfiniBand Architecture volume 1, section 9.7.5.
 */
public final class Syndrome {
    /** Acknowledgement without credit information. */
    public static final int ACK = 0x1F;
    /** Receiver not ready; bits 4:0 say how long to wait. */
    public static final int RNR_NAK = 0x20;
    /** Refused: PSN sequence error. The PSN is the one that is expected. */
    public static final int NAK_SEQUENCE = 0x60;
    /** Refused: invalid request. */
    public static final int NAK_INVALID_REQUEST = 0x61;
    /** Refused: remote access error. */
    public static final int NAK_REMOTE_ACCESS = 0x62;
    /** Refused: remote operational error. */
    public static final int NAK_REMOTE_OPERATION = 0x63;
    /** Refused: invalid reliable datagram request. */
    public static final int NAK_INVALID_RD_REQUEST = 0x64;

    /** The credit code that means "no limit". */
    public static final int NO_CREDIT_LIMIT = 31;

    private static final int KIND = 0x60;
    private static final int VALUE = 0x1F;
    private static final long RNR_UNIT_PS = 10_000_000;

    // Codes 0 to 31 in units of 10 us.
    private static final int[] RNR_UNITS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private static final int[] CREDITS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    private Syndrome() {}

    /** Tells whether this is a positive acknowledgement. */
    public static boolean isAck(int syndrome) {
        return (syndrome & KIND) == 0;
    }

    /** Tells whether this says that the receiver is not ready. */
    public static boolean isRnr(int syndrome) {
        return (syndrome & KIND) == RNR_NAK;
    }

    /** Returns the syndrome of a receiver-not-ready with a timer code of 0 to 31. */
    public static int rnr(int timerCode) {
        return RNR_NAK | (timerCode & VALUE);
    }

    /** Returns the wait in ps that a receiver-not-ready asks for: 10 us to 655.36 ms. */
    public static long rnrWaitPs(int syndrome) {
        return RNR_UNITS[syndrome & VALUE] * RNR_UNIT_PS;
    }

    /**
     * Returns the receive work requests that an acknowledgement grants beyond its MSN, or -1 for "no limit".
     *
     * @param syndrome of a positive acknowledgement
     */
    public static int credits(int syndrome) {
        int code = syndrome & VALUE;
        return code == NO_CREDIT_LIMIT ? -1 : CREDITS[code];
    }

    /** Returns the largest credit code, 0 to 30, that grants no more than so many receive work requests. */
    public static int creditCode(int receives) {
        int code = NO_CREDIT_LIMIT - 1;
        while (code > 0 && CREDITS[code] > receives) {
            code--;
        }
        return code;
    }

    /**
     * Returns the status with which a refused work request ends, null if the refusal is not final (sequence error, receiver not
     * ready) or reserved; a reserved syndrome is ignored. A refusal that only reliable datagrams know is none that this queue pair
     * has a status for.
     */
    public static @Nullable WcStatus failure(int syndrome) {
        return switch (syndrome) {
            case NAK_INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
            case NAK_REMOTE_ACCESS -> WcStatus.REM_ACCESS_ERR;
            case NAK_REMOTE_OPERATION -> WcStatus.REM_OP_ERR;
            case NAK_INVALID_RD_REQUEST -> WcStatus.GENERAL_ERR;
            default -> null;
        };
    }
}
