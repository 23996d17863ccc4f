package dev.clockwire.storage.hoststack.tcp;

/** What a connection sends through. */
public interface TcpOutput {
    /**
     * Sends a segment; if it is larger than the largest one it is to be cut, see {@link Segmentation}. Everything is copied before this returns.
     *
     * @param headers of it, reused by the caller
     * @param data of the stream
     * @param bytes from {@code headers.seq} on
     */
    void send(TcpSegment headers, ByteRing data, int bytes);
}
