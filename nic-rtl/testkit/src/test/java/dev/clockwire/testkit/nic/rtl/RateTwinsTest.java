package dev.clockwire.testkit.nic.rtl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.RateSpec;
import dev.clockwire.nic.rate.RateGate;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks without a stream: the lazy Java side against Verilog that counts every cycle, 100,000 random cycles each. */
class RateTwinsTest {
    private static final int CYCLES = 100_000;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "1, 16, 4096, 65536, 5000",
        "2, 16, 65536, 8388608, 9000",
        "3, 24, 16384, 1639126630, 70000",
        "5, 0, 9000, 3, 9100",
    })
    void tokenBucket(long seed, int fraction, long burst, long rate, int largest) {
        RandomStream random = new RandomStream(seed);
        TokenBucket bucket = new TokenBucket(new TokenBucketSpec(rate, fraction, burst));
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        long size = 1;
        boolean waits = false;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            boolean change = random.chance(0.001);
            long next = random.chance(0.1) ? 0 : 1 + random.below((int) Math.min(Integer.MAX_VALUE - 1, 2 * rate));
            if (change) {
                bucket.rate(cycle, next);
            }
            if (!waits) {
                waits = random.chance(0.7);
                size = 1L + random.below(largest);
            }
            stimulus.add(hex(change ? 1 : 0, next, waits, size));
            if (waits) {
                long tokens = bucket.tokens(cycle);
                boolean sent = bucket.take(cycle, size);
                expected.add(cycle + " " + (sent ? 1 : 0) + " " + tokens);
                waits = !sent;
            }
        }
        Rtl.of(folder, "token_bucket.v", "bench_token_bucket.v")
                .with("N", CYCLES)
                .with("FRACTION", fraction)
                .with("BURST", burst)
                .with("RATE", rate)
                .words("stimulus", stimulus)
                .isTheSameAs(expected);
    }

    /** The gate as the send engine uses it: not asked while it holds, told of rates by the registers' event. */
    @ParameterizedTest
    @CsvSource({"1, 4096, 65536, 5000", "2, 65536, 8388608, 9000", "3, 1106, 300000, 1106"})
    void rateGate(long seed, long burst, long rate, int largest) {
        RandomStream random = new RandomStream(seed);
        RateGate gate = new RateGate(new RateSpec(
                0,
                false,
                false,
                false,
                RateSpec.Dcqcn.OFF,
                250_000_000,
                400_000_000_000L,
                1,
                DcqcnSpec.paper(400_000_000_000L, 200_000_000, 250_000_000),
                VendorDcqcnSpec.defaults(400_000)));
        gate.change(new TokenBucketSpec(rate, 16, burst), 0, false);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        long size = 1;
        boolean waits = false;
        int held = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            boolean change = random.chance(0.001);
            long next = 1L + random.below((int) (2 * rate));
            if (change) {
                gate.change(new TokenBucketSpec(next, 16, burst), cycle, false);
            }
            if (!waits) {
                waits = random.chance(0.7);
                size = 1L + random.below(largest);
            }
            stimulus.add(hex(change ? 1 : 0, next, waits, size));
            if (waits) {
                long tokens = gate.tokens(cycle);
                held += gate.holds(cycle) ? 1 : 0;
                boolean sent = !gate.holds(cycle) && gate.pass(cycle, size, true, size, 1);
                expected.add(cycle + " " + (sent ? 1 : 0) + " " + tokens);
                waits = !sent;
            }
        }
        assertThat(held).as("cycles in which nobody asked").isPositive();
        Rtl.of(folder, "token_bucket.v", "bench_token_bucket.v")
                .with("N", CYCLES)
                .with("FRACTION", 16)
                .with("BURST", burst)
                .with("RATE", rate)
                .words("stimulus", stimulus)
                .isTheSameAs(expected);
    }

    /** set_rate 1, rate 48, valid 1, size 32: 82 bits. */
    private static String hex(int set, long rate, boolean valid, long size) {
        long low = (rate << 33) | ((valid ? 1L : 0) << 32) | size;
        long high = ((long) set << 17) | (rate >>> 31);
        return Long.toHexString(high) + String.format("%016x", low);
    }

    @ParameterizedTest
    @CsvSource({"1, 55, 55, 100000, 0.002, 1000", "2, 7, 300, 40000, 0.0002, 4096", "3, 55, 13, 1000000, 0.02, 65536"})
    void reactionPointOfThePaper(long seed, int k, int t, int b, double congestion, int largest) {
        DcqcnSpec spec = new DcqcnSpec(100_000_000_000L, 100_000_000, 8, k, t, b, 5, 40_000_000, 400_000_000);
        ReactionPoint point = new ReactionPoint(spec);
        RandomStream random = new RandomStream(seed);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int cycle = 0; cycle < CYCLES; cycle++) {
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
            expected.add(cycle + " " + point.current() + " " + point.target() + " " + point.alpha() + " "
                    + point.timeStage() + " " + point.byteStage());
        }
        Rtl.of(folder, "reaction_point.v", "bench_reaction_point.v")
                .with("N", CYCLES)
                .with("K", k)
                .with("T", t)
                .with("B", b)
                .words("stimulus", stimulus)
                .isTheSameAs(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 4, 300, 1019, 1, false, true, 0.001",
        "2, 4, 300, 1019, 5, true, false, 0.02",
        "3, 1, 7, 900, 3, false, false, 0.0005",
        "4, 50, 1, 1024, 1, false, true, 0.3",
    })
    void reactionPointOfANic(
            long seed, int monitor, int reset, int g, int threshold, boolean clamp, boolean clampAfter, double p) {
        VendorDcqcnSpec spec =
                new VendorDcqcnSpec(100_000, g, 1023, 11, 50, 1, monitor, reset, threshold, 5, 50, clamp, clampAfter);
        VendorReactionPoint point = new VendorReactionPoint(spec);
        RandomStream random = new RandomStream(seed);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int us = 0; us < CYCLES; us++) {
            boolean notified = random.chance(p);
            stimulus.add(notified ? "1" : "0");
            point.settle(us);
            if (notified) {
                point.notification(us);
            }
            expected.add(us + " " + point.current() + " " + point.target() + " " + point.alpha() + " " + point.stage());
        }
        Rtl.of(folder, "vendor_reaction_point.v", "bench_vendor_reaction_point.v")
                .with("N", CYCLES)
                .with("MONITOR", monitor)
                .with("TIME_RESET", reset)
                .with("G", g)
                .with("THRESHOLD", threshold)
                .with("CLAMP", clamp ? 1 : 0)
                .with("CLAMP_AFTER_INC", clampAfter ? 1 : 0)
                .words("stimulus", stimulus)
                .isTheSameAs(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 63})
    void roundRobinArbiter(int requesters) {
        RoundRobinArbiter arbiter = new RoundRobinArbiter(requesters);
        RandomStream random = new RandomStream(requesters);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            long some = random.nextLong();
            long requests = some & random.nextLong() & ((1L << requesters) - 1);
            boolean enabled = random.chance(0.8);
            stimulus.add(Long.toHexString(requests | (enabled ? 1L << 63 : 0)));
            int winner = arbiter.choose(requests);
            if (enabled && winner >= 0) {
                arbiter.grant(winner);
                expected.add(cycle + " " + winner);
            }
        }
        Rtl.of(folder, "round_robin.v", "bench_round_robin.v")
                .with("N", CYCLES)
                .with("REQUESTERS", requesters)
                .words("stimulus", stimulus)
                .isTheSameAs(expected);
    }
}
