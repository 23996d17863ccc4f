package dev.clockwire.testkit.nic.rtl;

import dev.clockwire.roce.congestion.DcqcnSpec;
import dev.clockwire.roce.congestion.ReactionPoint;
import dev.clockwire.roce.congestion.TokenBucket;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.congestion.VendorDcqcnSpec;
import dev.clockwire.roce.congestion.VendorReactionPoint;
import dev.clockwire.sim.export.VcdWriter;
import dev.clockwire.sim.flow.RoundRobinArbiter;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.trace.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The waves of blocks without a stream beside those that their Verilog twins dump. Our blocks are lazy: their registers are looked at
 * behind every edge, the twins' change on it.
 */
class RateWavesTest {
    private static final int CYCLES = 6_000;
    private static final int PERIOD_PS = 4000;

    @TempDir
    private Path folder;

    /** Our dump of one block: a value of each signal for every cycle. */
    private static final class Dump {
        private final Signals signals = new Signals();
        private final StringBuilder text = new StringBuilder();
        private final VcdWriter writer;

        Dump(Object... namesAndWidths) {
            for (int i = 0; i < namesAndWidths.length; i += 2) {
                signals.vector("block." + namesAndWidths[i], (Integer) namesAndWidths[i + 1]);
            }
            writer = new VcdWriter(signals, text);
        }

        void behindEdge(int cycle, long... values) {
            for (int s = 0; s < values.length; s++) {
                writer.change(s, (long) cycle * PERIOD_PS, values[s]);
            }
        }

        String done() {
            writer.finish((long) CYCLES * PERIOD_PS);
            return text.toString();
        }
    }

    private WavePair compare(Rtl bench, Iterable<String> lines, Dump dump) throws IOException {
        Path theirs = folder.resolve("verilog.vcd");
        bench.argument("waves", theirs).isTheSameAs(lines);
        return new WavePair(dump.done(), PERIOD_PS, Files.readString(theirs));
    }

    @ParameterizedTest
    @CsvSource({"1, 16, 4096, 65536, 5000", "2, 24, 16384, 1639126630, 70000"})
    void tokenBucket(long seed, int fraction, long burst, long rate, int largest) throws IOException {
        RandomStream random = new RandomStream(seed);
        TokenBucket bucket = new TokenBucket(new TokenBucketSpec(rate, fraction, burst));
        Dump dump = new Dump("tokens", 64, "rate", 48, "sent", 1);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        long size = 1;
        boolean waits = false;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            boolean change = random.chance(0.05);
            long next = random.chance(0.1) ? 0 : 1 + random.below((int) Math.min(Integer.MAX_VALUE - 1, 2 * rate));
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
            dump.behindEdge(cycle, bucket.tokens(cycle + 1L), bucket.rate(), sent ? 1 : 0);
        }
        Rtl bench = Rtl.of(folder, "token_bucket.v", "bench_token_bucket.v")
                .with("N", CYCLES)
                .with("FRACTION", fraction)
                .with("BURST", burst)
                .with("RATE", rate)
                .words("stimulus", stimulus);
        WavePair pair = compare(bench, expected, dump);
        pair.same("block.tokens", "bench.dut.tokens");
        pair.same("block.rate", "bench.dut.add");
        pair.same("block.sent", "bench.sent");
    }

    /** set_rate 1, rate 48, valid 1, size 32: 82 bits. */
    private static String setRate(boolean set, long rate, boolean valid, long size) {
        long low = (rate << 33) | ((valid ? 1L : 0) << 32) | size;
        long high = (set ? 1L << 17 : 0) | (rate >>> 31);
        return Long.toHexString(high) + String.format("%016x", low);
    }

    @ParameterizedTest
    @CsvSource({"1, 55, 55, 100000, 0.002", "2, 7, 30, 20000, 0.01"})
    void reactionPointOfThePaper(long seed, int k, int t, int b, double congestion) throws IOException {
        ReactionPoint point =
                new ReactionPoint(new DcqcnSpec(100_000_000_000L, 100_000_000, 8, k, t, b, 5, 40_000_000, 400_000_000));
        RandomStream random = new RandomStream(seed);
        Dump dump = new Dump("current", 64, "target", 64, "alpha", 49, "timeStage", 16, "byteStage", 16, "active", 1);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            boolean notified = random.chance(congestion);
            long bytes = random.chance(0.3) ? random.below(4096) : 0;
            stimulus.add(Long.toHexString((notified ? 1L << 31 : 0) | bytes));
            if (notified) {
                point.notification(cycle);
            }
            if (bytes > 0) {
                point.sent(cycle, bytes);
            }
            point.settle(cycle);
            long[] now = {
                point.current(),
                point.target(),
                point.alpha(),
                point.timeStage(),
                point.byteStage(),
                point.active() ? 1 : 0
            };
            dump.behindEdge(cycle, now);
            expected.add(cycle + " " + now[0] + " " + now[1] + " " + now[2] + " " + now[3] + " " + now[4]);
        }
        Rtl bench = Rtl.of(folder, "reaction_point.v", "bench_reaction_point.v")
                .with("N", CYCLES)
                .with("K", k)
                .with("T", t)
                .with("B", b)
                .words("stimulus", stimulus);
        WavePair pair = compare(bench, expected, dump);
        pair.same("block.current", "bench.dut.rc", 20);
        pair.same("block.target", "bench.dut.rt", 9);
        pair.same("block.alpha", "bench.dut.alpha", 40);
        pair.same("block.timeStage", "bench.dut.ts", 10);
        pair.same("block.byteStage", "bench.dut.bs", 10);
        pair.same("block.active", "bench.dut.active", 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 300, 1019, 1, false, true, 0.005", "2, 1, 7, 900, 3, true, false, 0.02"})
    void reactionPointOfANic(
            long seed, int monitor, int reset, int g, int threshold, boolean clamp, boolean clampAfter, double p)
            throws IOException {
        VendorReactionPoint point = new VendorReactionPoint(
                new VendorDcqcnSpec(100_000, g, 1023, 11, 50, 1, monitor, reset, threshold, 5, 50, clamp, clampAfter));
        RandomStream random = new RandomStream(seed);
        Dump dump = new Dump("current", 32, "target", 32, "alpha", 10, "active", 1, "stage", 6);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int us = 0; us < CYCLES; us++) {
            boolean notified = random.chance(p);
            stimulus.add(notified ? "1" : "0");
            point.settle(us);
            if (notified) {
                point.notification(us);
            }
            int alpha = point.alpha(); // -1 before the first notification
            dump.behindEdge(us, point.current(), point.target(), Math.max(0, alpha), alpha >= 0 ? 1 : 0, point.stage());
            expected.add(us + " " + point.current() + " " + point.target() + " " + alpha + " " + point.stage());
        }
        Rtl bench = Rtl.of(folder, "vendor_reaction_point.v", "bench_vendor_reaction_point.v")
                .with("N", CYCLES)
                .with("MONITOR", monitor)
                .with("TIME_RESET", reset)
                .with("G", g)
                .with("THRESHOLD", threshold)
                .with("CLAMP", clamp ? 1 : 0)
                .with("CLAMP_AFTER_INC", clampAfter ? 1 : 0)
                .words("stimulus", stimulus);
        WavePair pair = compare(bench, expected, dump);
        pair.same("block.current", "bench.dut.rc", 20);
        pair.same("block.target", "bench.dut.rt", 9);
        pair.same("block.alpha", "bench.dut.alpha", 40);
        pair.same("block.active", "bench.dut.active", 1);
        pair.same("block.stage", "bench.dut.stage", 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 63})
    void roundRobinArbiter(int requesters) throws IOException {
        RoundRobinArbiter arbiter = new RoundRobinArbiter(requesters);
        RandomStream random = new RandomStream(requesters);
        Dump dump = new Dump("last", 6, "grant", 1);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        int last = requesters - 1;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
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
            dump.behindEdge(cycle, last, granted ? 1 : 0);
        }
        Rtl bench = Rtl.of(folder, "round_robin.v", "bench_round_robin.v")
                .with("N", CYCLES)
                .with("REQUESTERS", requesters)
                .words("stimulus", stimulus);
        WavePair pair = compare(bench, expected, dump);
        pair.same("block.last", "bench.dut.last");
        pair.same("block.grant", "bench.grant");
    }
}
