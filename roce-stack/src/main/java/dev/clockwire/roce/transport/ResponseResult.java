package dev.clockwire.roce.transport;

/**
 * What a response, or a timeout, means for the send queue. Mutable and reused. The order of execution is: complete, place,
 * complete the entry that was placed last, then the action.
 */
public final class ResponseResult {
    /** What else is to be done. */
    public enum Action {
        /** Nothing. */
        NONE,
        /** The response was too old, too new or reserved: counted, no effect. */
        IGNORE,
        /** Sending has gone back to the oldest unacknowledged packet. */
        RETRY,
        /** Sending has gone back and waits {@link ResponseResult#rnrWaitPs}; then {@link Requester#rnrExpired}. */
        WAIT_RNR,
        /** The oldest entry failed with {@link ResponseResult#status}; the rest of the queue is to be flushed. */
        FAIL
    }

    /** What else is to be done. */
    public Action action = Action.NONE;
    /** How many entries, from {@link #firstCompleted} on, are complete now. */
    public int completed;
    /** The first of them. */
    public long firstCompleted;
    /** Whether the response brought data for {@link #placeEntry}: a READ's payload, or an atomic's {@link #original}. */
    public boolean place;
    /** The entry whose local buffers get the data. */
    public long placeEntry;
    /** Offset of the data in the message, in bytes. */
    public long placeOffset;
    /** Bytes of the data; 8 for an atomic. */
    public int placeLength;
    /** Whether the data is {@link #original} and not the packet's payload. */
    public boolean atomic;
    /** The remote value before an atomic. */
    public long original;
    /** Something was acknowledged: the acknowledge timer starts again. */
    public boolean progress;
    /** With WAIT_RNR: how long nothing may be sent, in ps. */
    public long rnrWaitPs;
    /** With FAIL: the entry that failed. */
    public long failedEntry;
    /** With FAIL: why. */
    public WcStatus status = WcStatus.SUCCESS;

    /** Creates a result that says nothing. */
    public ResponseResult() {}

    void reset(long head) {
        action = Action.NONE;
        completed = 0;
        firstCompleted = head;
        place = false;
        placeEntry = 0;
        placeOffset = 0;
        placeLength = 0;
        atomic = false;
        original = 0;
        progress = false;
        rnrWaitPs = 0;
        failedEntry = 0;
        status = WcStatus.SUCCESS;
    }
}
