package dev.clockwire.storage.reactor;

/** Error numbers of Linux, which storage software returns negated. */
public final class Errno {
    /** Not allowed: somebody else has it for himself. */
    public static final int EPERM = 1;
    /** There is no such thing. */
    public static final int ENOENT = 2;
    /** Input or output failed. */
    public static final int EIO = 5;
    /** A pool or a queue is empty; try again when something has completed. */
    public static final int ENOMEM = 12;
    /** Somebody else has it. */
    public static final int EBUSY = 16;
    /** A name is taken. */
    public static final int EEXIST = 17;
    /** There is no such device. */
    public static final int ENODEV = 19;
    /** An argument is out of range. */
    public static final int EINVAL = 22;
    /** What is asked for is not supported. */
    public static final int ENOTSUP = 95;

    private Errno() {}
}
