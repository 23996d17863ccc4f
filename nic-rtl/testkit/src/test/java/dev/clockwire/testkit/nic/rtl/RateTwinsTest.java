package dev.clockwire.testkit.nic.rtl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.RateSpec;
import dev.clockwire.nic.rate.RateGate;
import dev.clockwire.roce.congestion.DcqcnSpec;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.congestion.VendorDcqcnSpec;
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
        RateBlocks blocks = new RateBlocks(CYCLES, seed, RateBlocks.Watcher.NONE);
        blocks.tokenBucket(folder, new TokenBucketSpec(rate, fraction, burst), 0.001, largest)
                .isTheSameAs(blocks.expected());
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
            stimulus.add(RateBlocks.setRate(change, next, waits, size));
            if (waits) {
                long tokens = gate.tokens(cycle);
                held += gate.holds(cycle) ? 1 : 0;
                boolean sent = !gate.holds(cycle) && gate.pass(cycle, size, true, size, 1);
                expected.add(cycle + " " + (sent ? 1 : 0) + " " + tokens);
                waits = !sent;
            }
        }
        assertThat(held).as("cycles in which nobody asked").isPositive();
        RateBlocks.bucketBench(folder, CYCLES, new TokenBucketSpec(rate, 16, burst), stimulus)
                .isTheSameAs(expected);
    }

    @ParameterizedTest
    @CsvSource({"1, 55, 55, 100000, 0.002, 1000", "2, 7, 300, 40000, 0.0002, 4096", "3, 55, 13, 1000000, 0.02, 65536"})
    void reactionPointOfThePaper(long seed, int k, int t, int b, double congestion, int largest) {
        RateBlocks blocks = new RateBlocks(CYCLES, seed, RateBlocks.Watcher.NONE);
        blocks.reactionPoint(folder, k, t, b, congestion, largest).isTheSameAs(blocks.expected());
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
        RateBlocks blocks = new RateBlocks(CYCLES, seed, RateBlocks.Watcher.NONE);
        blocks.nicReactionPoint(folder, RateBlocks.nic(monitor, reset, g, threshold, clamp, clampAfter), p)
                .isTheSameAs(blocks.expected());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 63})
    void roundRobinArbiter(int requesters) {
        RateBlocks blocks = new RateBlocks(CYCLES, requesters, RateBlocks.Watcher.NONE);
        blocks.roundRobin(folder, requesters).isTheSameAs(blocks.expected());
    }
}
