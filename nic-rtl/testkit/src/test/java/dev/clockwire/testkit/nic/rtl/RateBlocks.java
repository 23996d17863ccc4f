package dev.clockwire.testkit.nic.rtl;

import dev.clockwire.roce.congestion.DcqcnSpec;
import dev.clockwire.roce.congestion.ReactionPoint;
import dev.clockwire.roce.congestion.TokenBucket;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.congestion.VendorDcqcnSpec;
import dev.clockwire.roce.congestion.VendorReactionPoint;
import dev.clockwire.sim.flow.RoundRobinArbiter;
import dev.clockwire.sim.random.RandomStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The blocks without a stream, driven at random: what goes in, what ours answers, and the bench of the Verilog twin for it. */
final class RateBlocks {
    /** Sees the registers of our block behind every edge. */
    interface Watcher {
        /** Nobody looks. */
        Watcher NONE = (cycle, values) -> {};

        void behindEdge(int cycle, long... values);
    }

    private final int cycles;
    private final RandomStream random;
    private final Watcher watcher;
    private final List<String> stimulus = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();

    RateBlocks(int cycles, long seed, Watcher watcher) {
        this.cycles = cycles;
        random = new RandomStream(seed);
        this.watcher = watcher;
    }

    /** Returns what our block answered, in the words of the bench. */
    List<String> expected() {
        return expected;
    }

    private Rtl bench(Path folder, String block) {
        return Rtl.of(folder, block + ".v", "bench_" + block + ".v")
                .with("N", cycles)
                .words("stimulus", stimulus);
    }

    /**
     * Drives a token bucket.
     *
     * @param changes how often the rate is set
     * @param largest largest packet
     */
    Rtl tokenBucket(Path folder, TokenBucketSpec spec, double changes, int largest) {
        TokenBucket bucket = new TokenBucket(spec);
        long size = 1;
        boolean waits = false;
        for (int cycle = 0; cycle < cycles; cycle++) {
            boolean change = random.chance(changes);
            long next = random.chance(0.1)
                    ? 0
                    : 1 + random.below((int) Math.min(Integer.MAX_VALUE - 1, 2 * spec.perCycle()));
            if (change) {
                bucket.rate(cycle, next);
            }
            if (!waits) {
                waits = random.chance(0.7);
                size = 1L + random.below(largest);
            }
            stimulus.add(setRate(change, next, waits, size));
            long before = bucket.tokens(cycle);
            boolean sent = waits && bucket.take(cycle, size);
            if (waits) {
                expected.add(cycle + " " + (sent ? 1 : 0) + " " + before);
            }
            waits &= !sent;
            watcher.behindEdge(cycle, bucket.tokens(cycle + 1L), bucket.rate(), sent ? 1 : 0);
        }
        return bucketBench(folder, cycles, spec, stimulus);
    }

    /** Returns the bench of a token bucket. */
    static Rtl bucketBench(Path folder, int cycles, TokenBucketSpec spec, List<String> stimulus) {
        return Rtl.of(folder, "token_bucket.v", "bench_token_bucket.v")
                .with("N", cycles)
                .with("FRACTION", spec.fractionBits())
                .with("BURST", spec.burstBytes())
                .with("RATE", spec.perCycle())
                .words("stimulus", stimulus);
    }

    /** set_rate 1, rate 48, valid 1, size 32: 82 bits. */
    static String setRate(boolean set, long rate, boolean valid, long size) {
        long low = (rate << 33) | ((valid ? 1L : 0) << 32) | size;
        long high = (set ? 1L << 17 : 0) | (rate >>> 31);
        return Long.toHexString(high) + String.format("%016x", low);
    }

    /** Drives the reaction point of the paper: timers of k and t cycles, a byte counter of b. */
    Rtl reactionPoint(Path folder, int k, int t, int b, double congestion, int largest) {
        ReactionPoint point =
                new ReactionPoint(new DcqcnSpec(100_000_000_000L, 100_000_000, 8, k, t, b, 5, 40_000_000, 400_000_000));
        for (int cycle = 0; cycle < cycles; cycle++) {
            boolean notified = random.chance(congestion);
            long bytes = random.chance(0.3) ? random.below(largest) : 0;
            stimulus.add(Long.toHexString((notified ? 1L << 31 : 0) | bytes));
            if (notified) {
                point.notification(cycle);
            }
            if (bytes > 0) {
                point.sent(cycle, bytes);
            }
            point.settle(cycle);
            watcher.behindEdge(
                    cycle,
                    point.current(),
                    point.target(),
                    point.alpha(),
                    point.timeStage(),
                    point.byteStage(),
                    point.active() ? 1 : 0);
            expected.add(cycle + " " + point.current() + " " + point.target() + " " + point.alpha() + " "
                    + point.timeStage() + " " + point.byteStage());
        }
        return bench(folder, "reaction_point").with("K", k).with("T", t).with("B", b);
    }

    /** Returns a reaction point of a NIC at 100 Gb/s, by its periods in microseconds and what it does to its target. */
    static VendorDcqcnSpec nic(int monitor, int reset, int g, int threshold, boolean clamp, boolean clampAfter) {
        return new VendorDcqcnSpec(100_000, g, 1023, 11, 50, 1, monitor, reset, threshold, 5, 50, clamp, clampAfter);
    }

    /** Drives the reaction point of a NIC, once a microsecond. */
    Rtl nicReactionPoint(Path folder, VendorDcqcnSpec spec, double congestion) {
        VendorReactionPoint point = new VendorReactionPoint(spec);
        for (int us = 0; us < cycles; us++) {
            boolean notified = random.chance(congestion);
            stimulus.add(notified ? "1" : "0");
            point.settle(us);
            if (notified) {
                point.notification(us);
            }
            int alpha = point.alpha(); // -1 before the first notification
            watcher.behindEdge(
                    us, point.current(), point.target(), Math.max(0, alpha), alpha >= 0 ? 1 : 0, point.stage());
            expected.add(us + " " + point.current() + " " + point.target() + " " + alpha + " " + point.stage());
        }
        return bench(folder, "vendor_reaction_point")
                .with("MONITOR", spec.rateReduceMonitorPeriod())
                .with("TIME_RESET", spec.rpgTimeReset())
                .with("G", spec.dceTcpG())
                .with("THRESHOLD", spec.rpgThreshold())
                .with("CLAMP", spec.clampTgtRate() ? 1 : 0)
                .with("CLAMP_AFTER_INC", spec.clampTgtRateAfterTimeInc() ? 1 : 0);
    }

    /** Drives an arbiter of so many requesters. */
    Rtl roundRobin(Path folder, int requesters) {
        RoundRobinArbiter arbiter = new RoundRobinArbiter(requesters);
        int last = requesters - 1;
        for (int cycle = 0; cycle < cycles; cycle++) {
            long some = random.nextLong();
            long requests = some & random.nextLong() & ((1L << requesters) - 1);
            boolean enabled = random.chance(0.8);
            stimulus.add(Long.toHexString(requests | (enabled ? 1L << 63 : 0)));
            int winner = arbiter.choose(requests);
            boolean granted = enabled && winner >= 0;
            if (granted) {
                arbiter.grant(winner);
                last = winner;
                expected.add(cycle + " " + winner);
            }
            watcher.behindEdge(cycle, last, granted ? 1 : 0);
        }
        return bench(folder, "round_robin").with("REQUESTERS", requesters);
    }
}
