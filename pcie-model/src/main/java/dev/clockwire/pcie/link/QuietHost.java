package dev.clockwire.pcie.link;

/** The host's end of the link of a {@link QuietDevice}. */
public interface QuietHost {
    /** Lets both ends do what they would have done before a time, which is not in the future. */
    void catchUp(long before);

    /** Returns whether this end could answer late now. */
    boolean isCalm();

    /** Makes events of what is on its way: times are not known ahead any more. */
    void wakeUp();

    /** Returns whether reads of a range may be refused: that takes less time. */
    boolean mayRefuse(long address, int bytes);

    /**
     * Returns a time before which some more data cannot have arrived at the device.
     *
     * @param bytes how many; 0 for a refusal
     * @param issue when the next request for them may be issued at the earliest, {@code Long.MAX_VALUE} if all have been
     */
    long arrivalNotBefore(int bytes, long issue);

    /** Returns the least time from a request's issue to its answer. */
    long leastTripPs();

    /** Returns how many requests may be on their way without waiting for credits. */
    int mostRequests();
}
