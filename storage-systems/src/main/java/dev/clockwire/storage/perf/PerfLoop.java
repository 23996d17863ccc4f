package dev.clockwire.storage.perf;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.bdev.BdevChannel;
import dev.clockwire.storage.bdev.BdevDone;
import dev.clockwire.storage.bdev.BdevStatus;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.reactor.Errno;

/**
 * A closed loop over one channel: a given number of I/Os is outstanding, and behind each one that ends the next is submitted, until the
 * time is over and the last have ended. It begins on the channel's thread.
 */
public final class PerfLoop {
    /** Resolution of SPDK's histogram: 128 buckets for each power of two. */
    private static final int HISTOGRAM_BITS = 7;

    private static final int PERCENT = 100;

    private final PerfSpec spec;
    private final BdevChannel channel;
    private final RandomStream random;
    private final Histogram latency;
    private final BdevDone done = this::ended;
    private final long[] submittedPs;
    private final boolean[] reads;
    private final long base;
    private final long blocks;
    private final long places;
    private long place;
    private long from = Long.MAX_VALUE;
    private long until;
    private int outstanding;
    private double area;
    private long areaPs;
    private long errors;
    private long readCount;

    /**
     * Creates a loop.
     *
     * @param base address of host memory for {@code queueDepth x ioBytes} bytes
     * @param random draws places and kinds
     * @throws ConfigurationException if the I/O size is no multiple of the device's block, or larger than the device
     */
    public PerfLoop(PerfSpec spec, BdevChannel channel, long base, RandomStream random) {
        int block = channel.bdev().blockBytes();
        if (spec.ioBytes() % block != 0) {
            throw new ConfigurationException("I/O size (-o) " + spec.ioBytes() + " is no multiple of " + block
                    + ", the block of " + channel.bdev());
        }
        blocks = spec.ioBytes() / block;
        places = channel.bdev().blocks() / blocks;
        if (places == 0) {
            throw new ConfigurationException(
                    "I/O size (-o) " + spec.ioBytes() + " is more than " + channel.bdev() + " has");
        }
        this.spec = spec;
        this.channel = channel;
        this.base = base;
        this.random = random;
        latency = new Histogram("perf.latency", "ps", "from submission to end", HISTOGRAM_BITS);
        submittedPs = new long[spec.queueDepth()];
        reads = new boolean[spec.queueDepth()];
    }

    /** Begins. */
    public void start() {
        long now = channel.cpu().now();
        from = now + spec.warmupPs();
        until = from + spec.timePs();
        areaPs = from;
        for (int i = 0; i < spec.queueDepth(); i++) {
            submit(i);
        }
    }

    /** Returns whether the time is over and nothing is outstanding. */
    public boolean isDone() {
        return until != 0 && channel.thread().reactor().reactors().now() >= until && outstanding == 0;
    }

    private void submit(int task) {
        place = spec.random() ? below(places) : place;
        reads[task] =
                spec.readPercent() == PERCENT || (spec.readPercent() > 0 && random.below(PERCENT) < spec.readPercent());
        long lba = place * blocks;
        place = place + 1 == places ? 0 : place + 1;
        submittedPs[task] = channel.cpu().now();
        count(1);
        hand(task, lba);
    }

    private long below(long n) {
        return n <= Integer.MAX_VALUE ? random.below((int) n) : random.nextLong(n);
    }

    private void hand(int task, long lba) {
        IoType type = reads[task] ? IoType.READ : IoType.WRITE;
        long va = base + (long) task * spec.ioBytes();
        int rc = channel.submit(type, lba, blocks, va, done, task);
        if (rc == -Errno.ENOMEM) {
            int waits = channel.awaitIo(() -> hand(task, lba));
            rc = waits == 0 ? 0 : rc;
        }
        if (rc != 0) {
            throw new ConfigurationException(
                    type + " of " + spec.ioBytes() + " B on bdev " + channel.bdev() + " is refused: errno " + -rc);
        }
    }

    private void ended(long tag, BdevStatus status) {
        int task = (int) tag;
        long now = channel.cpu().now();
        count(-1);
        if (now >= from && now < until) {
            latency.record(now - submittedPs[task]);
            errors += status == BdevStatus.SUCCESS ? 0 : 1;
            readCount += reads[task] ? 1 : 0;
        }
        if (now < until) {
            submit(task);
        }
    }

    /** Adds what was outstanding since the last change, inside the time that counts. */
    private void count(int change) {
        long now = Math.min(channel.cpu().now(), until);
        if (now > areaPs) {
            area += (double) outstanding * (now - areaPs);
            areaPs = now;
        }
        outstanding += change;
    }

    /** Returns what came of it. */
    public PerfResult result() {
        return new PerfResult(latency, errors, readCount, spec.ioBytes(), spec.timePs(), area / spec.timePs());
    }
}
