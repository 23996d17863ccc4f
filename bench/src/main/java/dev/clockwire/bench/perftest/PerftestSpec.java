package dev.clockwire.bench.perftest;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;

/**
 * One perftest run with every default resolved.
 *
 * @param tool what runs
 * @param profile the hardware of both hosts; of software devices, cores and line only
 * @param provider what stands behind the verbs
 * @param connection transport service
 * @param size bytes of a message
 * @param iterations messages of each queue pair, 0 if the duration decides
 * @param durationPs simulated time to measure, 0 if the iterations decide
 * @param exact whether a duration is run to its end although the result is known well enough before
 * @param qps queue pairs
 * @param txDepth sends of a queue pair in flight at most
 * @param rxDepth receives of a queue pair posted ahead
 * @param postList work requests posted with one doorbell
 * @param cqMod every so many sends one is signalled
 * @param mtu path MTU in bytes
 * @param inline messages up to so many bytes travel inside the work request
 * @param outstandingReads READs and atomics of a queue pair in flight at most
 * @param atomic which atomic
 * @param rate messages per second of all queue pairs together in open loop, 0 for closed loop
 * @param pacing what the device keeps each sending queue pair to
 * @param ipv6 whether frames are IPv6
 * @param seed root of random streams
 * @param kernel what the kernel evaluates
 * @param payload whether bulk data are bytes or only sizes
 * @param fullHash whether every channel is part of the trace hash
 * @param faults what goes wrong
 * @param events whether programs sleep until an event of their completion queue comes, rather than poll
 * @param buffers where buffers come from
 * @param tuning shares of queue pairs, moderation of completion queues
 * @param rounds of open loop
 */
public record PerftestSpec(
        Tool tool,
        Profile profile,
        Provider provider,
        QpType connection,
        long size,
        long iterations,
        long durationPs,
        boolean exact,
        int qps,
        int txDepth,
        int rxDepth,
        int postList,
        int cqMod,
        int mtu,
        int inline,
        int outstandingReads,
        AtomicKind atomic,
        double rate,
        RateLimit pacing,
        boolean ipv6,
        long seed,
        KernelMode kernel,
        PayloadMode payload,
        boolean fullHash,
        FaultPlan faults,
        boolean events,
        BufferKind buffers,
        Rounds rounds,
        Tuning tuning) {

    /** Returns this run with another number of messages of each queue pair. */
    PerftestSpec withIterations(long n) {
        Draft d = new Draft(this);
        d.iterations = n;
        return d.done();
    }

    /** Returns whether messages travel inside their work requests. */
    public boolean isInlined() {
        return !tool.verb().isRoundTrip() && size <= inline && inline > 0;
    }

    /** Returns a copy in which things go wrong. */
    public PerftestSpec with(FaultPlan plan) {
        Draft d = new Draft(this);
        d.faults = plan;
        return d.done();
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private Tool tool;
        private Profile profile;
        private Provider provider;
        private QpType connection;
        private long size;
        private long iterations;
        private long durationPs;
        private boolean exact;
        private int qps;
        private int txDepth;
        private int rxDepth;
        private int postList;
        private int cqMod;
        private int mtu;
        private int inline;
        private int outstandingReads;
        private AtomicKind atomic;
        private double rate;
        private RateLimit pacing;
        private boolean ipv6;
        private long seed;
        private KernelMode kernel;
        private PayloadMode payload;
        private boolean fullHash;
        private FaultPlan faults;
        private boolean events;
        private BufferKind buffers;
        private Rounds rounds;
        private Tuning tuning;

        Draft(PerftestSpec of) {
            tool = of.tool;
            profile = of.profile;
            provider = of.provider;
            connection = of.connection;
            size = of.size;
            iterations = of.iterations;
            durationPs = of.durationPs;
            exact = of.exact;
            qps = of.qps;
            txDepth = of.txDepth;
            rxDepth = of.rxDepth;
            postList = of.postList;
            cqMod = of.cqMod;
            mtu = of.mtu;
            inline = of.inline;
            outstandingReads = of.outstandingReads;
            atomic = of.atomic;
            rate = of.rate;
            pacing = of.pacing;
            ipv6 = of.ipv6;
            seed = of.seed;
            kernel = of.kernel;
            payload = of.payload;
            fullHash = of.fullHash;
            faults = of.faults;
            events = of.events;
            buffers = of.buffers;
            rounds = of.rounds;
            tuning = of.tuning;
        }

        PerftestSpec done() {
            return new PerftestSpec(
                    tool,
                    profile,
                    provider,
                    connection,
                    size,
                    iterations,
                    durationPs,
                    exact,
                    qps,
                    txDepth,
                    rxDepth,
                    postList,
                    cqMod,
                    mtu,
                    inline,
                    outstandingReads,
                    atomic,
                    rate,
                    pacing,
                    ipv6,
                    seed,
                    kernel,
                    payload,
                    fullHash,
                    faults,
                    events,
                    buffers,
                    rounds,
                    tuning);
        }
    }
}
