package dev.clockwire.storage.threefs.net;

/** Who is at the end of an {@link IbSocket}; called in steps of its worker. */
public interface SocketUser {
    /** Bytes came, in order; valid during the call. */
    void received(byte[] bytes, int length);

    /** Both sides can send. */
    void established();

    /** The connection is gone: what was under way has been told before, and nothing touches memory over it any more. */
    void broken();
}
