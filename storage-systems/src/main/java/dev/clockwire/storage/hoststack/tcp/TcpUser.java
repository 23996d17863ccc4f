package dev.clockwire.storage.hoststack.tcp;

/** What a connection tells of itself, as the callbacks of a kernel's socket do. */
public interface TcpUser {
    /** It is established. */
    void connected();

    /** Bytes can be read, or the peer sends no more. */
    void readable();

    /** Bytes were acknowledged: there is room in the send buffer. */
    void writable();

    /** It is over: reset by the peer, or given up after too many retries. */
    void failed(String why);
}
