package dev.clockwire.storage.bdev;

/** How an I/O ended. */
public enum BdevStatus {
    /** It was done. */
    SUCCESS,
    /** It failed. */
    FAILED,
    /** Blocks and memory differ. */
    MISCOMPARE,
    /** The device has no room now. Its user does not see this: the I/O waits at the channel. */
    NOMEM
}
