package dev.clockwire.storage.perf;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.bdev.BdevChannel;
import dev.clockwire.storage.bdev.IoType;

/**
 * A closed loop over one queue: a given number of I/Os is outstanding, and behind each one that ends the next is submitted, until the
 * time is over, or as many as were wanted are submitted, and the last have ended.
 */
public final class PerfLoop implements PerfUser {
    /** Resolution of SPDK's histogram: 128 buckets for each power of two. */
    private static final int HISTOGRAM_BITS = 7;

    private static final int PERCENT = 100;

    private final PerfSpec spec;
    private final PerfQueue queue;
    private final RandomStream random;
    private final Histogram latency;
    private final long[] submittedPs;
    private final boolean[] reads;
    private final long base;
    private final int blocks;
    private final long places;
    private final Zipf zipf;
    private long place;
    private long from = Long.MAX_VALUE;
    private long until = Long.MAX_VALUE;
    private long endedPs;
    private boolean begun;
    private int outstanding;
    private double area;
    private long areaPs;
    private long submitted;
    private long errors;
    private long readCount;

    /**
     * Creates a loop over a channel of a block device.
     *
     * @param base address of host memory for {@code queueDepth x ioBytes} bytes
     * @param random draws places and kinds
     * @throws ConfigurationException if the I/O size is no multiple of the device's block, or larger than the device
     */
    public PerfLoop(PerfSpec spec, BdevChannel channel, long base, RandomStream random) {
        this(spec, new BdevQueue(channel), base, random);
    }

    /** Creates a loop over a queue, see {@link #PerfLoop(PerfSpec, BdevChannel, long, RandomStream)}. */
    public PerfLoop(PerfSpec spec, PerfQueue queue, long base, RandomStream random) {
        int block = queue.blockBytes();
        if (spec.ioBytes() % block != 0) {
            throw new ConfigurationException("I/O size (-o) " + spec.ioBytes() + " is no multiple of " + block
                    + ", the block of " + queue.name());
        }
        blocks = spec.ioBytes() / block;
        places = queue.blocks() / blocks;
        if (places == 0) {
            throw new ConfigurationException(
                    "I/O size (-o) " + spec.ioBytes() + " is more than " + queue.name() + " has");
        }
        this.spec = spec;
        this.queue = queue;
        this.base = base;
        this.random = random;
        zipf = new Zipf(places, spec.zipf());
        latency = new Histogram("perf.latency", "ps", "from submission to end", HISTOGRAM_BITS);
        submittedPs = new long[spec.queueDepth()];
        reads = new boolean[spec.queueDepth()];
    }

    /** Has it begin: on a channel's thread, or whenever the queue can. */
    public void start() {
        queue.start(this);
    }

    @Override
    public void begin() {
        long now = queue.cpu().now();
        begun = true;
        from = now + spec.warmupPs();
        until = from + spec.timePs();
        areaPs = from;
        for (int i = 0; i < spec.queueDepth() && mayGoOn(now); i++) {
            submit(i);
        }
    }

    /** Returns whether the time is over and nothing is outstanding. */
    public boolean isDone() {
        return begun && outstanding == 0;
    }

    /** Returns the I/Os that have not ended. */
    public int outstanding() {
        return outstanding;
    }

    /** Returns the I/Os that have ended, however. */
    public long ended() {
        return submitted - outstanding;
    }

    /** Returns when the time that counts is over; far away if it has not begun. */
    public long untilPs() {
        return until;
    }

    private boolean mayGoOn(long now) {
        return now < until && !queue.isLost() && (spec.mostIos() == 0 || submitted < spec.mostIos());
    }

    private void submit(int task) {
        place = spec.random() ? zipf.draw(random) : place;
        reads[task] =
                spec.readPercent() == PERCENT || (spec.readPercent() > 0 && random.below(PERCENT) < spec.readPercent());
        long lba = place * blocks;
        place = place + 1 == places ? 0 : place + 1;
        submittedPs[task] = queue.cpu().now();
        submitted++;
        count(1);
        IoType type = reads[task] ? IoType.READ : IoType.WRITE;
        queue.submit(type, lba, blocks, base + (long) task * spec.ioBytes(), task);
    }

    @Override
    public void ended(int task, boolean good) {
        long now = queue.cpu().now();
        count(-1);
        errors += good ? 0 : 1; // whenever: nothing that failed is passed over
        if (now >= from && now < until) {
            latency.record(now - submittedPs[task]);
            queue.count(task, submittedPs[task], now);
            readCount += reads[task] ? 1 : 0;
            endedPs = now;
        }
        if (mayGoOn(now)) {
            submit(task);
        }
    }

    /** Adds what was outstanding since the last change, inside the time that counts. */
    private void count(int change) {
        long now = Math.min(queue.cpu().now(), until);
        if (now > areaPs) {
            area += (double) outstanding * (now - areaPs);
            areaPs = now;
        }
        outstanding += change;
    }

    /**
     * Returns what came of it; of a number of I/Os that ended before the time did, the time until the last of them, and of a load that is not
     * over, the time until now.
     */
    public PerfResult result() {
        count(0);
        long measured = Math.max(1, Math.min(spec.timePs(), queue.cpu().now() - from));
        boolean early = spec.mostIos() > 0 && submitted >= spec.mostIos() && endedPs > from;
        long ps = early ? Math.min(spec.timePs(), endedPs - from) : measured;
        return new PerfResult(latency, errors, readCount, spec.ioBytes(), ps, area / ps);
    }
}
