package dev.clockwire.storage.daos.ofi;

/** Who owns an endpoint: all of this is called inside {@link RdmEndpoint#progress}, never otherwise. */
public interface OfiUser {
    /**
     * A message that nobody has announced.
     *
     * @param from the connection that it came over
     * @param bytes its own from now on, the endpoint's header in front
     */
    void unexpected(Conn from, byte[] bytes, int length);

    /** A message that {@link RdmEndpoint#expect} announced. */
    void expected(long tag, byte[] bytes, int length);

    /** A connection is gone, and with it whatever was under way on it. */
    void lost(Conn conn);
}
