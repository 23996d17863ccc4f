package dev.clockwire.roce.transport;

/** The acknowledge timeout of a queue pair: 5 bits, exponential. */
public final class AckTimeout {
    /** The largest code. */
    public static final int MAX_CODE = 31;

    private static final long UNIT_PS = 4_096_000;

    private AckTimeout() {}

    /**
     * Returns the nominal timeout in ps: 4.096 us * 2^code. An implementation may detect the loss up to four times later.
     *
     * @param code 1 to 31; 0 means that no timer runs, and gives {@link Long#MAX_VALUE}
     */
    public static long ps(int code) {
        return code == 0 ? Long.MAX_VALUE : UNIT_PS << code;
    }
}
