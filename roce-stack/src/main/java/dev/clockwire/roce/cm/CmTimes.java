package dev.clockwire.roce.cm;

/**
 * How long the connection manager waits.
 *
 * @param responseTimeout code of the time within which a message is to be answered: 4.096 us * 2^code
 * @param maxRetries how often a message is sent again before the other side counts as unreachable
 * @param timewait code of the time after which a connection's numbers may be used again
 */
public record CmTimes(int responseTimeout, int maxRetries, int timewait) {
    /** What Linux uses: 4.3 s, 15 times; the time wait follows from an ACK timeout code of 19. */
    public static final CmTimes LINUX = new CmTimes(20, 15, 20);

    private static final long UNIT_PS = 4_096_000;
    private static final int CODES = 31;

    /** Checks the ranges. */
    public CmTimes {
        CmParameters.check("response timeout code", responseTimeout, CODES);
        CmParameters.check("retries", maxRetries, 15);
        CmParameters.check("time wait code", timewait, CODES);
    }

    /** Returns the time of a code in ps. */
    public static long ps(int code) {
        return UNIT_PS << (code & CODES);
    }
}
