package dev.clockwire.roce.verbs;

/**
 * Pacing of one queue pair by the device ({@code ibv_qp_rate_limit_attr}).
 *
 * @param kbps rate in kbit/s, 0 = none; at most 8 Tbit/s
 * @param maxBurstBytes bytes that may leave at once after a rest, 0 = what the device takes by itself
 */
public record RateLimit(long kbps, long maxBurstBytes) {
    /** No pacing. */
    public static final RateLimit NONE = new RateLimit(0, 0);

    private static final long MAX_KBPS = 8_000_000_000L;
    private static final long MAX_BURST = 0xFFFF_FFFFL;
    private static final long KILO = 1000;

    /** Checks the ranges. */
    public RateLimit {
        range("rate in kbit/s", kbps, MAX_KBPS);
        range("burst", maxBurstBytes, MAX_BURST);
    }

    private static void range(String what, long value, long max) {
        if (value < 0 || value > max) {
            throw new VerbsException(Errno.EINVAL, "modify_qp_rate_limit", what + " " + value + " is not in 0.." + max);
        }
    }

    /** Returns the rate in bit/s. */
    public long bitsPerSecond() {
        return kbps * KILO;
    }
}
