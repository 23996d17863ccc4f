package dev.clockwire.storage.cluster;

/** Takes an I/O of a {@link Disk} that has ended, in a step of the worker. */
@FunctionalInterface
public interface DiskDone {
    /** One has ended; {@code ok} is false if the disk reports an error. */
    void done(long token, boolean ok);
}
