package dev.clockwire.roce.cm;

import dev.clockwire.roce.verbs.QueuePair;

/**
 * What a datagram service says to somebody who looks for it.
 *
 * @param status {@link #SUCCESS}, or why not
 * @param qpn the queue pair that takes datagrams
 * @param qkey their key
 * @param privateData of the application, at most 136 bytes
 */
public record SidrAnswer(int status, int qpn, int qkey, PrivateData privateData) {
    /** There is such a queue pair. */
    public static final int SUCCESS = 0;
    /** Nobody listens. */
    public static final int UNSUPPORTED = 1;
    /** The application said no. */
    public static final int REJECT = 2;
    /** There is no queue pair at the moment. */
    public static final int NO_QP = 3;
    /** Not a status of the wire: nobody answered. */
    public static final int UNREACHABLE = -1;

    /** Returns the answer that names a queue pair. */
    public static SidrAnswer of(QueuePair qp, int qkey, PrivateData data) {
        return new SidrAnswer(SUCCESS, qp.qpn(), qkey, data);
    }

    /** Returns a refusal. */
    public static SidrAnswer refuse(int status, PrivateData data) {
        return new SidrAnswer(status, 0, 0, data);
    }
}
