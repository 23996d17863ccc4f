package dev.clockwire.roce.verbs;

/** Error numbers that verbs return, with the values of Linux. */
public enum Errno {
    /** The device or a queue is broken. */
    EIO(5),
    /** A queue is full, or an object limit is reached. */
    ENOMEM(12),
    /** The memory is not there. */
    EFAULT(14),
    /** The object is still in use. */
    EBUSY(16),
    /** No such device, or no way to the address. */
    ENODEV(19),
    /** An argument, or the state of the object, does not fit. */
    EINVAL(22),
    /** The device cannot do that. */
    EOPNOTSUPP(95),
    /** The address did not answer. */
    ETIMEDOUT(110);

    private final int code;

    Errno(int code) {
        this.code = code;
    }

    /** Returns the value of the C constant. */
    public int code() {
        return code;
    }
}
