package dev.clockwire.nic.context;

/** What blocks tell the device about its queues; carried out as an event, so that no block changes a context in its tick. */
public interface NicControl {
    /** A queue pair failed: it goes to ERR. */
    void qpFailed(QpContext qp);

    /** A send queue failed by itself: a reliable queue pair goes to ERR, another to SQE. */
    void sendFailed(QpContext qp);

    /** Something happened that programs want to know: an event goes to the host. */
    void happened(int eqeType, int number);

    /** One side of a queue pair on its way to RESET is empty, and its last completion is being written. */
    void emptied(QpContext qp);

    /** A send queue in SQD has nothing under way any more. */
    void drained(QpContext qp);

    /**
     * Changes keys on behalf of a send queue, whose {@code wakeQueue} hears of the end; or, without an answer, takes away what a peer
     * asked to invalidate.
     */
    void changeKeys(QpContext qp, KeyChange change);

    /** A completion queue overflowed: it breaks, and the queue pairs that use it go to ERR. */
    void cqFailed(int cqn);
}
