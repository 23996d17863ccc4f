package dev.clockwire.pcie.link;

/**
 * The device's end of a link on which requests and answers follow from each other as long as nobody else sends: the next request leaves
 * when an answer arrives. Neither is an event then. Whoever needs to know lets both ends catch up, and each packet has the time at which
 * it would have been sent.
 */
public interface QuietDevice extends EarlyEnd {
    /** Names the other end, which this one lets catch up from now on. */
    void join(QuietHost host);

    /** Returns whether requests are handed over late now. */
    boolean isLate();

    /** Returns when the next answer arrives that makes room for a request, {@code Long.MAX_VALUE} if none is known. */
    long nextAnswer();

    /** Issues what answers make room for that arrive before a time, as of their times. */
    void catchUp(long before);

    /** Looks again whether requests may be handed over late, and when reads may end; everything before now has been done. */
    void reconsider();
}
