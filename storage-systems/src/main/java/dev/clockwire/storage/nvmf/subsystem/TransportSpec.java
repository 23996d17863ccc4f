package dev.clockwire.storage.nvmf.subsystem;

import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * The limits of a transport, with the meanings and defaults of SPDK's {@code nvmf_create_transport -t RDMA}.
 *
 * @param maxQueueDepth commands under way of an I/O queue at most
 * @param maxIoQpairs I/O queues of a controller at most ({@code max_io_qpairs_per_ctrlr})
 * @param inCapsuleBytes data that a command may bring along; below 256 it is 256, room for 16 descriptors
 * @param maxIoBytes largest transfer, a power of two
 * @param maxAdminDepth commands under way of an admin queue at most
 * @param srq whether queues share receives
 * @param srqDepth shared receives of a poll group
 * @param cqEntries entries of a completion queue without shared receives; with them it has three times these
 * @param dataWrs work requests for data that a poll group has ({@code data_wr_pool_size})
 * @param wrBatching whether what is posted in a poll is handed to the device at its end, with one doorbell for each queue pair
 * @param acceptorPollPs how often new connections are looked for
 * @param acceptorBacklog connections that may wait to be taken up
 * @param abortTimeoutPs how long an abort waits for a command that is moving data
 * @param kas granularity of keep-alive times in 100 ms
 * @param minKeepAliveMs shortest keep-alive time
 * @param smallBytes bytes of a small buffer ({@code iobuf_set_options})
 * @param smallCount small buffers
 * @param largeBytes bytes of a large buffer; the largest transfer fits into one
 * @param largeCount large buffers
 * @param offload whether the NIC executes reads, writes and flushes of I/O queues by itself
 * @param offloadMemory what commands and data pass through that the NIC executes: memory of the host, or of each SSD
 */
public record TransportSpec(
        int maxQueueDepth,
        int maxIoQpairs,
        int inCapsuleBytes,
        int maxIoBytes,
        int maxAdminDepth,
        boolean srq,
        int srqDepth,
        int cqEntries,
        int dataWrs,
        boolean wrBatching,
        long acceptorPollPs,
        int acceptorBacklog,
        long abortTimeoutPs,
        int kas,
        int minKeepAliveMs,
        int smallBytes,
        int smallCount,
        int largeBytes,
        int largeCount,
        boolean offload,
        OffloadMemory.Place offloadMemory) {
    /** Descriptors that a capsule may hold. */
    public static final int MAX_DESCRIPTORS = 16;
    /** The least number of bytes of in-capsule data: {@value #MAX_DESCRIPTORS} descriptors. */
    public static final int LEAST_IN_CAPSULE = 16 * MAX_DESCRIPTORS;

    private static final int MOST = 65_535;
    private static final int MOST_BYTES = 1 << 24;
    private static final long LONGEST_PS = 100_000_000_000_000L;
    private static final int PAGE = 4096;

    /** Checks the ranges; in-capsule data of less than {@value #LEAST_IN_CAPSULE} bytes become as many. */
    public TransportSpec {
        check("max_queue_depth", maxQueueDepth, 2, MOST);
        check("max_io_qpairs_per_ctrlr", maxIoQpairs, 1, MOST);
        check("in_capsule_data_size", inCapsuleBytes, 0, 1 << 20);
        inCapsuleBytes = Math.max(inCapsuleBytes, LEAST_IN_CAPSULE);
        check("max_io_size", maxIoBytes, PAGE, MOST_BYTES / 2);
        if (Integer.bitCount(maxIoBytes) != 1) {
            throw new ConfigurationException("max_io_size " + maxIoBytes + ": must be a power of two, " + PAGE + " to "
                    + MOST_BYTES / 2 + "; nearest is " + Integer.highestOneBit(maxIoBytes));
        }
        check("max_aq_depth", maxAdminDepth, 32, MOST);
        check("max_srq_depth", srqDepth, 1, MOST);
        check("num_cqe", cqEntries, 1, 1 << 22);
        check("data_wr_pool_size", dataWrs, 1, MOST);
        check("acceptor_poll_rate", acceptorPollPs, 1, LONGEST_PS);
        check("acceptor_backlog", acceptorBacklog, 1, MOST);
        check("abort_timeout_sec", abortTimeoutPs, 0, LONGEST_PS);
        check("kas", kas, 1, MOST);
        check("min_kato", minKeepAliveMs, 1, Integer.MAX_VALUE);
        check("small_bufsize", smallBytes, PAGE, MOST_BYTES);
        check("small_pool_count", smallCount, 1, 1 << 20);
        check("large_bufsize", largeBytes, Math.max(smallBytes, maxIoBytes), MOST_BYTES);
        check("large_pool_count", largeCount, 1, 1 << 20);
        if (!offload && offloadMemory != OffloadMemory.Place.HOST) {
            throw new ConfigurationException("offload_memory controller: is for a transport with offload");
        }
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            long nearest = Math.max(least, Math.min(most, value));
            throw new ConfigurationException(
                    what + " " + value + " is not in " + least + ".." + most + "; nearest is " + nearest);
        }
    }

    /** Returns SPDK's defaults for RDMA. */
    public static TransportSpec rdma() {
        return new TransportSpec(
                128,
                127,
                4096,
                131_072,
                128,
                true,
                4096,
                4096,
                4095,
                true,
                10_000_000_000L,
                100,
                1_000_000_000_000L,
                100,
                10_000,
                8192,
                8192,
                135_168,
                1024,
                false,
                OffloadMemory.Place.HOST);
    }

    /** Returns what a Linux target does: receives of each queue's own, 1 MiB at a time, nothing batched. */
    public static TransportSpec linux() {
        Draft d = new Draft(rdma());
        d.srq = false;
        d.maxIoQpairs = 128;
        d.maxIoBytes = 1 << 20;
        d.largeBytes = 1 << 20;
        d.largeCount = 128;
        d.smallCount = 1024;
        d.wrBatching = false;
        d.acceptorPollPs = 1_000_000_000L;
        return d.done();
    }

    /** Returns entries of the completion queue of a poll group. */
    public int completions() {
        return srq ? 3 * srqDepth : cqEntries;
    }

    /** Returns a copy with other depths of I/O and admin queues. */
    public TransportSpec withDepths(int io, int admin) {
        Draft d = new Draft(this);
        d.maxQueueDepth = io;
        d.maxAdminDepth = admin;
        return d.done();
    }

    /** Returns a copy with another number of I/O queues of a controller. */
    public TransportSpec withIoQpairs(int most) {
        Draft d = new Draft(this);
        d.maxIoQpairs = most;
        return d.done();
    }

    /** Returns a copy that takes other sizes: in a capsule, and at all. */
    public TransportSpec withBytes(int inCapsule, int most) {
        Draft d = new Draft(this);
        d.inCapsuleBytes = inCapsule;
        d.maxIoBytes = most;
        d.largeBytes = Math.max(largeBytes, most);
        return d.done();
    }

    /** Returns a copy with shared receives, or without. */
    public TransportSpec withSrq(boolean shared, int depth) {
        Draft d = new Draft(this);
        d.srq = shared;
        d.srqDepth = depth;
        return d.done();
    }

    /** Returns a copy with another completion queue, for {@link #srq} off. */
    public TransportSpec withCqEntries(int entries) {
        Draft d = new Draft(this);
        d.cqEntries = entries;
        return d.done();
    }

    /** Returns a copy with another number of work requests for data. */
    public TransportSpec withDataWrs(int count) {
        Draft d = new Draft(this);
        d.dataWrs = count;
        return d.done();
    }

    /** Returns a copy that batches what it posts, or does not. */
    public TransportSpec withWrBatching(boolean on) {
        Draft d = new Draft(this);
        d.wrBatching = on;
        return d.done();
    }

    /** Returns a copy that looks for connections more or less often, and lets so many wait. */
    public TransportSpec withAcceptor(long pollPs, int backlog) {
        Draft d = new Draft(this);
        d.acceptorPollPs = pollPs;
        d.acceptorBacklog = backlog;
        return d.done();
    }

    /** Returns a copy with other times: of an abort, and of keep-alive. */
    public TransportSpec withTimes(long abortPs, int granularity, int leastKeepAliveMs) {
        Draft d = new Draft(this);
        d.abortTimeoutPs = abortPs;
        d.kas = granularity;
        d.minKeepAliveMs = leastKeepAliveMs;
        return d.done();
    }

    /** Returns a copy with other buffers. */
    public TransportSpec withBuffers(int small, int smallNumber, int large, int largeNumber) {
        Draft d = new Draft(this);
        d.smallBytes = small;
        d.smallCount = smallNumber;
        d.largeBytes = large;
        d.largeCount = largeNumber;
        return d.done();
    }

    /** Returns a copy whose I/O queues the NIC serves, or does not. */
    public TransportSpec withOffload(boolean on) {
        Draft d = new Draft(this);
        d.offload = on;
        d.offloadMemory = on ? offloadMemory : OffloadMemory.Place.HOST;
        return d.done();
    }

    /** Returns a copy, for {@link #offload} on, whose commands and data pass through other memory. */
    public TransportSpec withOffloadMemory(OffloadMemory.Place place) {
        Draft d = new Draft(this);
        d.offloadMemory = place;
        return d.done();
    }

    /** All components, to be changed. */
    private static final class Draft {
        int maxQueueDepth;
        int maxIoQpairs;
        int inCapsuleBytes;
        int maxIoBytes;
        int maxAdminDepth;
        boolean srq;
        int srqDepth;
        int cqEntries;
        int dataWrs;
        boolean wrBatching;
        long acceptorPollPs;
        int acceptorBacklog;
        long abortTimeoutPs;
        int kas;
        int minKeepAliveMs;
        int smallBytes;
        int smallCount;
        int largeBytes;
        int largeCount;
        boolean offload;
        OffloadMemory.Place offloadMemory;

        Draft(TransportSpec s) {
            maxQueueDepth = s.maxQueueDepth;
            maxIoQpairs = s.maxIoQpairs;
            inCapsuleBytes = s.inCapsuleBytes;
            maxIoBytes = s.maxIoBytes;
            maxAdminDepth = s.maxAdminDepth;
            srq = s.srq;
            srqDepth = s.srqDepth;
            cqEntries = s.cqEntries;
            dataWrs = s.dataWrs;
            wrBatching = s.wrBatching;
            acceptorPollPs = s.acceptorPollPs;
            acceptorBacklog = s.acceptorBacklog;
            abortTimeoutPs = s.abortTimeoutPs;
            kas = s.kas;
            minKeepAliveMs = s.minKeepAliveMs;
            smallBytes = s.smallBytes;
            smallCount = s.smallCount;
            largeBytes = s.largeBytes;
            largeCount = s.largeCount;
            offload = s.offload;
            offloadMemory = s.offloadMemory;
        }

        TransportSpec done() {
            return new TransportSpec(
                    maxQueueDepth,
                    maxIoQpairs,
                    inCapsuleBytes,
                    maxIoBytes,
                    maxAdminDepth,
                    srq,
                    srqDepth,
                    cqEntries,
                    dataWrs,
                    wrBatching,
                    acceptorPollPs,
                    acceptorBacklog,
                    abortTimeoutPs,
                    kas,
                    minKeepAliveMs,
                    smallBytes,
                    smallCount,
                    largeBytes,
                    largeCount,
                    offload,
                    offloadMemory);
        }
    }
}
