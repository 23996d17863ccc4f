package dev.clockwire.storage.threefs.server;

/** Hears of the steps of the protocol, as fault schedules and monitors want them; it must change nothing but by events. */
@FunctionalInterface
public interface ProtocolTap {
    /** Nobody listens. */
    ProtocolTap NONE = (node, what, chain, key, version) -> {};

    /**
     * A step was taken.
     *
     * @param node number of the node
     * @param what it is, such as {@code lock} or {@code commit}
     */
    void step(int node, String what, int chain, long key, int version);
}
