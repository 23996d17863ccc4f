package dev.clockwire.storage.ceph.osd;

/** Hears of the steps of the protocol, as fault schedules and monitors want them; it must change nothing but by events. */
@FunctionalInterface
public interface OsdTap {
    /** Nobody listens. */
    OsdTap NONE = (node, what, pg, oid, version) -> {};

    /**
     * A step was taken.
     *
     * @param node number of the node
     * @param what it is, such as {@code execute}, {@code commit} or {@code reply}
     */
    void step(int node, String what, int pg, long oid, long version);
}
