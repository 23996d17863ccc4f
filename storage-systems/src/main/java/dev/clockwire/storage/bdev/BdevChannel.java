package dev.clockwire.storage.bdev;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.reactor.IoChannel;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/**
 * A thread's way to a block device. I/Os are submitted and end on this thread. Those that the device has no room for wait here, in order,
 * and all later ones behind them, until enough of those outstanding at that moment have ended.
 *
 * <p>A snapshot holds it while nothing is under way.
 */
public final class BdevChannel implements State {
    private final Bdev bdev;
    private final StorageThread thread;
    private final @Nullable ModuleChannel module;
    private final IoChannel<Object> shared;
    private final IoStat stat = new IoStat();
    private final IoQueue waiting = new IoQueue();
    private final Poller retry;
    private int outstanding;
    private int threshold;
    private long retries;

    BdevChannel(Bdev bdev, StorageThread thread, @Nullable ModuleChannel module) {
        this.bdev = bdev;
        this.thread = thread;
        this.module = module;
        shared = thread.channels().get(bdev.bdevs());
        retry = thread.poller(bdev.name() + ".retry", self -> {
            resubmit();
            if (waiting.isEmpty() || outstanding > 0) {
                self.unregister();
            }
            return 1;
        });
    }

    /** Returns the device. */
    public Bdev bdev() {
        return bdev;
    }

    /** Returns the thread. */
    public StorageThread thread() {
        return thread;
    }

    /** Returns the core it runs on. */
    public CpuCore cpu() {
        return thread.reactor().core();
    }

    /** Returns what the module keeps here, null if nothing. */
    public @Nullable ModuleChannel module() {
        return module;
    }

    /** Returns what was done through this channel. */
    public IoStat stat() {
        return stat;
    }

    /** Returns the I/Os that the device has. */
    public int outstanding() {
        return outstanding;
    }

    /** Returns the I/Os that wait for room. */
    public int waiting() {
        return waiting.count();
    }

    /** Returns how often an I/O that had waited was handed to the device. */
    public long retries() {
        return retries;
    }

    /**
     * Reads blocks into host memory.
     *
     * @return 0; -{@link Errno#EINVAL} if the blocks are not all there; -{@link Errno#ENOTSUP}; -{@link Errno#ENOMEM} if there is no I/O
     *     left: see {@link #awaitIo}. Only with 0 will {@code done} be called
     */
    public int read(long lba, long blocks, long va, BdevDone done, long tag) {
        return submit(IoType.READ, lba, blocks, va, done, tag);
    }

    /** Writes host memory to blocks; returns as {@link #read}. */
    public int write(long lba, long blocks, long va, BdevDone done, long tag) {
        return submit(IoType.WRITE, lba, blocks, va, done, tag);
    }

    /** Makes durable what was written; returns as {@link #read}. */
    public int flush(long lba, long blocks, BdevDone done, long tag) {
        return submit(IoType.FLUSH, lba, blocks, 0, done, tag);
    }

    /** Gives blocks up; returns as {@link #read}. */
    public int unmap(long lba, long blocks, BdevDone done, long tag) {
        return submit(IoType.UNMAP, lba, blocks, 0, done, tag);
    }

    /** Makes blocks zeros; returns as {@link #read}. */
    public int writeZeroes(long lba, long blocks, BdevDone done, long tag) {
        return submit(IoType.WRITE_ZEROES, lba, blocks, 0, done, tag);
    }

    /** Compares blocks with host memory; returns as {@link #read}. */
    public int compare(long lba, long blocks, long va, BdevDone done, long tag) {
        return submit(IoType.COMPARE, lba, blocks, va, done, tag);
    }

    /** Does what one of the methods above does. */
    public int submit(IoType type, long lba, long blocks, long va, BdevDone done, long tag) {
        if (lba < 0 || blocks < 1 || lba > bdev.blocks() - blocks) {
            return -Errno.EINVAL;
        }
        if (!bdev.supports(type)) {
            return -Errno.ENOTSUP;
        }
        BdevIo io = pool().take();
        if (io == null) {
            return -Errno.ENOMEM;
        }
        io.type = type;
        io.lba = lba;
        io.blocks = blocks;
        io.va = va;
        io.tag = tag;
        io.submittedPs = cpu().now();
        io.begin(this, done);
        cpu().charge(bdev.bdevs().spec().submitPs());
        if (waiting.isEmpty()) {
            hand(io);
        } else {
            waiting.addLast(io);
        }
        return 0;
    }

    /**
     * Has something run when an I/O of the pool is free for this thread.
     *
     * @return 0, or -{@link Errno#EINVAL} if one is now
     */
    public int awaitIo(Runnable then) {
        return pool().await(then);
    }

    private BdevThread pool() {
        return (BdevThread) shared.context();
    }

    private void hand(BdevIo io) {
        outstanding++;
        io.status = BdevStatus.SUCCESS;
        io.inSubmit = true;
        bdev.submit(this, io);
        io.inSubmit = false;
    }

    void completed(BdevIo io) {
        outstanding--;
        if (io.status == BdevStatus.NOMEM) {
            waiting.addFirst(io);
            threshold = Math.max(outstanding / 2, outstanding - BdevSpec.NOMEM_THRESHOLD);
            if (outstanding == 0 && retry.state() == PollerState.UNREGISTERED) {
                retry.register(bdev.bdevs().spec().retryPs());
            }
            return;
        }
        if (!waiting.isEmpty() && outstanding <= threshold) {
            resubmit();
        }
        if (!io.inSubmit && !bdev.bdevs().spec().handOver()) {
            finish(io);
        } else if (thread.sendMsg(bdev.bdevs().finish(), io.index, 0) != 0) {
            throw new ConfigurationException(bdev + ": an I/O cannot end, the message pool is empty");
        }
    }

    /** Hands those that wait to the device, up to the first that there is still no room for. */
    private void resubmit() {
        while (!waiting.isEmpty()) {
            BdevIo io = waiting.removeFirst();
            retries++;
            hand(io);
            if (io.status == BdevStatus.NOMEM) {
                return;
            }
        }
    }

    void finish(BdevIo io) {
        cpu().charge(bdev.bdevs().spec().completePs());
        stat.count(io.type, io.status, io.bytes(), cpu().now() - io.submittedPs);
        io.tell();
        pool().give(io);
    }

    void close() {
        if (module != null) {
            module.close();
        }
        thread.channels().put(shared);
    }

    @Override
    public void save(Snapshot out) {
        if (outstanding + waiting.count() > 0) {
            throw new ConfigurationException(
                    thread.name(),
                    thread.reactor().reactors().now(),
                    "no snapshot while " + (outstanding + waiting.count()) + " I/Os of bdev " + bdev
                            + " are under way");
        }
        stat.save(out);
        out.putLong(retries);
    }

    @Override
    public void load(Snapshot in) {
        stat.load(in);
        retries = in.getLong();
        outstanding = 0;
    }
}
