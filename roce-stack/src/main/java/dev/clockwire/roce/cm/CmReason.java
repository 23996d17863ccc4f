package dev.clockwire.roce.cm;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why a connection was refused. */
public enum CmReason {
    NO_QP(1),
    NO_RESOURCES(3),
    TIMEOUT(4),
    UNSUPPORTED(5),
    INVALID_COMM_ID(6),
    INVALID_COMM_INSTANCE(7),
    /** Nobody listens. */
    INVALID_SERVICE_ID(8),
    INVALID_TRANSPORT(9),
    STALE_CONNECTION(10),
    INVALID_GID(12),
    INVALID_MTU(26),
    TOO_FEW_RESPONDER_RESOURCES(27),
    /** The application said no. */
    CONSUMER_DEFINED(28),
    INVALID_RNR_RETRY(29),
    INVALID_CLASS_VERSION(31),
    VENDOR_OPTION(35);

    private final int code;

    CmReason(int code) {
        this.code = code;
    }

    /** Returns the code in a REJ. */
    public int code() {
        return code;
    }

    /** Returns the reason of a code, null if it has no name here. */
    public static @Nullable CmReason find(int code) {
        for (CmReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return null;
    }

    /** Returns the name for people. */
    public static String text(int code) {
        CmReason reason = find(code);
        return reason == null
                ? "reason " + code
                : reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
