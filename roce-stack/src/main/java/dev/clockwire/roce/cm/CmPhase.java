package dev.clockwire.roce.cm;

/** Where a connection is in its life. */
public enum CmPhase {
    /** Nothing has been sent or received. */
    IDLE,
    /** Client: waits for the answer to its request. */
    REQ_SENT,
    /** Server: the application has to accept or reject. */
    REQ_RECEIVED,
    /** Client: the reply is here, the queue pair is being prepared. */
    REP_RECEIVED,
    /** Server: waits until the client is ready to use the connection. */
    REP_SENT,
    /** In use. */
    ESTABLISHED,
    /** Waits for the answer to its request to disconnect. */
    DREQ_SENT,
    /** Over; late packets and repeated messages may still come. */
    TIMEWAIT,
    /** Over. */
    CLOSED
}
