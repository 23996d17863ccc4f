package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The disk of a node: bytes that outlive crashes. An I/O is durable when it has ended. I/Os of an incarnation that is gone end silently; what was
 * under way when the power failed may have been written or not, in whole pages of 4 KiB.
 */
public abstract class Disk {
    /** What offsets and lengths are multiples of. */
    public static final int BLOCK = 512;
    /** A time that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    private final String name;
    private final long bytes;
    private long slowPs;
    private long slowUntil;
    private long failUntil;
    private long reads;
    private long writes;
    private long bytesRead;
    private long bytesWritten;

    /** Creates a disk of a size. */
    protected Disk(String name, long bytes) {
        this.name = name;
        this.bytes = bytes;
    }

    /**
     * Makes the disk usable by a worker of a new incarnation.
     *
     * @param ready runs on the worker when it is
     */
    public abstract void attach(Worker worker, Runnable ready);

    /** Says, before the machine begins, how many workers will use the disk at most. */
    public void lanes(int most) {}

    /**
     * Makes the disk usable by another worker of the incarnation it is attached to, with a queue of its own.
     *
     * @param ready runs on the first worker when it is
     */
    public abstract void join(Worker worker, Runnable ready);

    /** Begins an I/O that was checked. */
    protected abstract void submit(
            Worker by, boolean write, long offset, int length, long va, DiskDone done, long token);

    /** Returns the worker that it is attached to. */
    protected abstract Worker first();

    /** The host has lost its power: nothing that is under way ends any more. */
    protected abstract void powerLost();

    /**
     * Reads.
     *
     * @param offset a multiple of {@value #BLOCK}
     * @param length a multiple of {@value #BLOCK}, more than 0
     * @param va address in the host's memory, a multiple of 4
     */
    public final void read(long offset, int length, long va, DiskDone done, long token) {
        read(first(), offset, length, va, done, token);
    }

    /** Reads by a worker that has joined; {@code done} runs on it. */
    public final void read(Worker by, long offset, int length, long va, DiskDone done, long token) {
        check(offset, length);
        reads++;
        bytesRead += length;
        submit(by, false, offset, length, va, done, token);
    }

    /** Writes; see {@link #read}. */
    public final void write(long offset, int length, long va, DiskDone done, long token) {
        write(first(), offset, length, va, done, token);
    }

    /** Writes by a worker that has joined; {@code done} runs on it. */
    public final void write(Worker by, long offset, int length, long va, DiskDone done, long token) {
        check(offset, length);
        writes++;
        bytesWritten += length;
        submit(by, true, offset, length, va, done, token);
    }

    private void check(long offset, int length) {
        if (offset < 0 || length <= 0 || offset % BLOCK != 0 || length % BLOCK != 0 || offset + length > bytes) {
            throw new ConfigurationException(name + ": " + length + " bytes at " + offset + ": must be multiples of "
                    + BLOCK + " inside " + bytes);
        }
    }

    /** Has each I/O that ends before a time take longer. */
    public final void slow(long ps, long until) {
        slowPs = ps;
        slowUntil = until;
    }

    /** Has each I/O that begins before a time end with an error, nothing written; {@link #NEVER} is for good. */
    public final void fail(long until) {
        failUntil = until;
    }

    /** Returns by how much an I/O that ends now is late. */
    protected final long latePs(long now) {
        return now < slowUntil ? slowPs : 0;
    }

    /** Returns whether I/Os that begin now fail. */
    protected final boolean fails(long now) {
        return now < failUntil;
    }

    /** Returns whether it has failed for good. */
    public final boolean isBroken() {
        return failUntil == NEVER;
    }

    /** Returns the name. */
    public final String name() {
        return name;
    }

    /** Returns the size. */
    public final long bytes() {
        return bytes;
    }

    /** Returns the reads so far. */
    public final long reads() {
        return reads;
    }

    /** Returns the writes so far. */
    public final long writes() {
        return writes;
    }

    /** Returns the bytes of reads so far. */
    public final long bytesRead() {
        return bytesRead;
    }

    /** Returns the bytes of writes so far. */
    public final long bytesWritten() {
        return bytesWritten;
    }
}
