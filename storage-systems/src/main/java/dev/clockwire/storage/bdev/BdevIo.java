package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.InvariantViolation;
import org.jspecify.annotations.Nullable;

/** One I/O of the pool. A module reads it, and ends it with {@link #complete}. */
public final class BdevIo implements BdevDone {
    final int index;
    IoType type = IoType.READ;
    long lba;
    long blocks;
    long va;
    long tag;
    long submittedPs;
    BdevStatus status = BdevStatus.SUCCESS;
    boolean inSubmit;
    /** For modules: a time. */
    long at;

    private @Nullable BdevChannel channel;
    private @Nullable BdevDone done;

    BdevIo(int index) {
        this.index = index;
    }

    void begin(BdevChannel on, BdevDone whom) {
        channel = on;
        done = whom;
    }

    BdevChannel channel() {
        if (channel == null) {
            throw new InvariantViolation("an I/O of the pool is in use by nobody");
        }
        return channel;
    }

    void tell() {
        if (done != null) {
            done.done(tag, status);
        }
    }

    /** Returns what it does. */
    public IoType type() {
        return type;
    }

    /** Returns the first block. */
    public long lba() {
        return lba;
    }

    /** Returns the number of blocks. */
    public long blocks() {
        return blocks;
    }

    /** Returns the address in host memory, 0 if it moves no data. */
    public long va() {
        return va;
    }

    /** Returns the number of bytes of its blocks. */
    public long bytes() {
        return blocks * channel().bdev().blockBytes();
    }

    /** Ends it, on its channel's thread, from within the module's submit or later. */
    public void complete(BdevStatus how) {
        status = how;
        channel().completed(this);
    }

    /** Ends it as one below it has ended: modules hand it down as who is to be told. */
    @Override
    public void done(long below, BdevStatus how) {
        channel().bdev().belowDone(this, how);
    }
}
