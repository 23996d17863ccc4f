package dev.clockwire.roce.cm;

/** What happens to a connection, with the names of librdmacm. */
public enum CmEventType {
    /** Server: somebody wants a connection; accept or reject it. */
    CONNECT_REQUEST,
    /** Client: the server accepts; the queue pair is not ready yet. */
    CONNECT_RESPONSE,
    /** Both may send. */
    ESTABLISHED,
    /** The other side refused; the reason is with the event. */
    REJECTED,
    /** The other side does not answer. */
    UNREACHABLE,
    /** The queue pair could not be prepared. */
    CONNECT_ERROR,
    /** The connection has ended; the queue pair is in ERR. */
    DISCONNECTED,
    /** The device has failed: the connection is gone, and so is its queue pair. The other side was told nothing. */
    DEVICE_REMOVAL,
    /** No late packet can come any more: the queue pair's number may be used again. */
    TIMEWAIT_EXIT
}
