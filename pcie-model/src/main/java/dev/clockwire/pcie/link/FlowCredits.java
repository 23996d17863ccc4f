package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * What a receiver advertises: packets (headers) and 16-byte data units for each flow-control class; 0 is infinite.
 *
 * @param postedHeaders credits of MWr and Msg headers
 * @param postedData credits of their data
 * @param nonPostedHeaders credits of request headers that expect a completion
 * @param nonPostedData credits of their data
 * @param completionHeaders credits of Cpl and CplD headers; an endpoint must advertise infinite ones
 * @param completionData credits of completion data
 */
public record FlowCredits(
        int postedHeaders,
        int postedData,
        int nonPostedHeaders,
        int nonPostedData,
        int completionHeaders,
        int completionData) {
    private static final int LARGEST = 1 << 20;

    /** Nothing is ever held back. */
    public static final FlowCredits INFINITE = new FlowCredits(0, 0, 0, 0, 0, 0);

    /** A root port's receive buffer with scaled flow control: 16 KB of writes, many requests, infinite completions. */
    public static final FlowCredits ROOT_PORT = new FlowCredits(256, 1024, 256, 64, 0, 0);

    /** A network adapter's receive buffer: 64 full write-combining buffers, few reads, infinite completions. */
    public static final FlowCredits ADAPTER = new FlowCredits(64, 256, 32, 32, 0, 0);

    /** Checks the ranges. */
    public FlowCredits {
        check("posted headers", postedHeaders);
        check("posted data", postedData);
        check("non-posted headers", nonPostedHeaders);
        check("non-posted data", nonPostedData);
        check("completion headers", completionHeaders);
        check("completion data", completionData);
    }

    /** Returns the header credits of a class, 0 for infinite. */
    public int headers(FlowClass flow) {
        return switch (flow) {
            case POSTED -> postedHeaders;
            case NON_POSTED -> nonPostedHeaders;
            case COMPLETION -> completionHeaders;
        };
    }

    /** Returns the data credits of a class, 0 for infinite. */
    public int data(FlowClass flow) {
        return switch (flow) {
            case POSTED -> postedData;
            case NON_POSTED -> nonPostedData;
            case COMPLETION -> completionData;
        };
    }

    private static void check(String what, int value) {
        if (value < 0 || value > LARGEST) {
            throw new ConfigurationException("credits for " + what + " " + value + " are not in 0.." + LARGEST);
        }
    }
}
