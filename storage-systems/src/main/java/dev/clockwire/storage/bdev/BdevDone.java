package dev.clockwire.storage.bdev;

/** Is told when an I/O has ended. */
@FunctionalInterface
public interface BdevDone {
    /** Called on the thread that submitted, never within the call that did. */
    void done(long tag, BdevStatus status);
}
