package dev.clockwire.nic.context;

/** What blocks tell the device about its queues; carried out as an event, so that no block changes a context in its tick. */
public interface NicControl {
    /** A queue pair failed: it goes to ERR. */
    void qpFailed(QpContext qp);

    /** A send queue failed by itself: a reliable queue pair goes to ERR, another to SQE. */
    void sendFailed(QpContext qp);

    /** A completion queue overflowed: it breaks, and the queue pairs that use it go to ERR. */
    void cqFailed(int cqn);
}
