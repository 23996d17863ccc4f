package dev.clockwire.roce.cm;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What an application asks of a connection ({@code rdma_conn_param}).
 *
 * @param responderResources READs and atomics of the other side that are answered at a time, 0 to 255
 * @param initiatorDepth READs and atomics under way at most, 0 to 255
 * @param flowControl credits are honoured
 * @param retryCount tries after a timeout or a lost packet, 0 to 7
 * @param rnrRetry tries after receiver-not-ready, 0 to 7; 7 is for ever
 * @param privateData goes with the message: 56 bytes with a request, 196 with a reply
 */
public record CmParameters(
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int retryCount,
        int rnrRetry,
        PrivateData privateData) {
    private static final int OCTET = 255;
    private static final int THREE_BITS = 7;

    /** Checks the ranges. */
    public CmParameters {
        check("responder resources", responderResources, OCTET);
        check("initiator depth", initiatorDepth, OCTET);
        check("retry count", retryCount, THREE_BITS);
        check("RNR retry count", rnrRetry, THREE_BITS);
    }

    /** Returns what rping asks for: one READ at a time in either direction, seven retries, endless RNR retries. */
    public static CmParameters usual() {
        return new CmParameters(1, 1, false, THREE_BITS, THREE_BITS, PrivateData.NONE);
    }

    /** Returns a copy with other numbers of READs and atomics. */
    public CmParameters withDepths(int resources, int depth) {
        return new CmParameters(resources, depth, flowControl, retryCount, rnrRetry, privateData);
    }

    /** Returns a copy with other private data. */
    public CmParameters with(PrivateData data) {
        return new CmParameters(responderResources, initiatorDepth, flowControl, retryCount, rnrRetry, data);
    }

    static void check(String what, int value, int most) {
        if (value < 0 || value > most) {
            throw new ConfigurationException(what + " " + value + ": must be 0 to " + most);
        }
    }
}
