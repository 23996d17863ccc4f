package dev.clockwire.storage.ceph.osd;

/** What {@link dev.clockwire.storage.ceph.msgr2.Message#flags} of a client's operation, and the version of an answer, say. */
public final class Operation {
    /** Read the whole object. */
    public static final int READ = 1;
    /** Replace the whole object. */
    public static final int WRITE = 2;
    /** Version of an answer: the object cannot be read. */
    public static final long FAILED = -1;

    private Operation() {}
}
