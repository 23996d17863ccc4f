package dev.clockwire.storage.threefs.net;

/** Who is at the end of an {@link IbSocket}; called in steps of its worker. */
public interface SocketUser {
    /** Bytes came, in order; valid during the call. */
    void received(byte[] bytes, int length);

    /**
     * A message of the other side's {@link IbSocket#notice} is in memory.
     *
     * @param word what it tells, 24 bits
     * @param length bytes that were written, the head's included
     */
    default void noticed(int word, int length) {}

    /** Both sides can send. */
    void established();

    /** The connection is gone: what was under way has been told before, and nothing touches memory over it any more. */
    void broken();
}
