package dev.clockwire.storage.ceph.msgr2;

/** Takes what comes over a node's sessions, in steps of worker 0. */
public interface Dispatcher {
    /** A message came, in the order of its session. */
    void dispatch(Session from, Message m);

    /** The other side has forgotten a session, or a lossy one broke: what was sent and not answered may be lost. */
    default void reset(Session session) {}
}
