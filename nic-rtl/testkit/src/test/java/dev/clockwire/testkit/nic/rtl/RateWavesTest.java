package dev.clockwire.testkit.nic.rtl;

import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.sim.export.VcdWriter;
import dev.clockwire.sim.trace.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final class Dump implements RateBlocks.Watcher {
        private final Signals signals = new Signals();
        private final StringBuilder text = new StringBuilder();
        private final VcdWriter writer;

        Dump(Object... namesAndWidths) {
            for (int i = 0; i < namesAndWidths.length; i += 2) {
                signals.vector("block." + namesAndWidths[i], (Integer) namesAndWidths[i + 1]);
            }
            writer = new VcdWriter(signals, text);
        }

        @Override
        public void behindEdge(int cycle, long... values) {
            for (int s = 0; s < values.length; s++) {
                writer.change(s, (long) cycle * PERIOD_PS, values[s]);
            }
        }

        String done() {
            writer.finish((long) CYCLES * PERIOD_PS);
            return text.toString();
        }
    }

    private WavePair compare(RateBlocks blocks, Rtl bench, Dump dump) throws IOException {
        Path theirs = folder.resolve("verilog.vcd");
        bench.argument("waves", theirs).isTheSameAs(blocks.expected());
        return new WavePair(dump.done(), PERIOD_PS, Files.readString(theirs));
    }

    @ParameterizedTest
    @CsvSource({"1, 16, 4096, 65536, 5000", "2, 24, 16384, 1639126630, 70000"})
    void tokenBucket(long seed, int fraction, long burst, long rate, int largest) throws IOException {
        Dump dump = new Dump("tokens", 64, "rate", 48, "sent", 1);
        RateBlocks blocks = new RateBlocks(CYCLES, seed, dump);
        Rtl bench = blocks.tokenBucket(folder, new TokenBucketSpec(rate, fraction, burst), 0.05, largest);
        WavePair pair = compare(blocks, bench, dump);
        pair.same("block.tokens", "bench.dut.tokens");
        pair.same("block.rate", "bench.dut.add");
        pair.same("block.sent", "bench.sent");
    }

    @ParameterizedTest
    @CsvSource({"1, 55, 55, 100000, 0.002", "2, 7, 30, 20000, 0.01"})
    void reactionPointOfThePaper(long seed, int k, int t, int b, double congestion) throws IOException {
        Dump dump = new Dump("current", 64, "target", 64, "alpha", 49, "timeStage", 16, "byteStage", 16, "active", 1);
        RateBlocks blocks = new RateBlocks(CYCLES, seed, dump);
        WavePair pair = compare(blocks, blocks.reactionPoint(folder, k, t, b, congestion, 4096), dump);
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
        Dump dump = new Dump("current", 32, "target", 32, "alpha", 10, "active", 1, "stage", 6);
        RateBlocks blocks = new RateBlocks(CYCLES, seed, dump);
        Rtl bench = blocks.nicReactionPoint(folder, RateBlocks.nic(monitor, reset, g, threshold, clamp, clampAfter), p);
        WavePair pair = compare(blocks, bench, dump);
        pair.same("block.current", "bench.dut.rc", 20);
        pair.same("block.target", "bench.dut.rt", 9);
        pair.same("block.alpha", "bench.dut.alpha", 40);
        pair.same("block.active", "bench.dut.active", 1);
        pair.same("block.stage", "bench.dut.stage", 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 63})
    void roundRobinArbiter(int requesters) throws IOException {
        Dump dump = new Dump("last", 6, "grant", 1);
        RateBlocks blocks = new RateBlocks(CYCLES, requesters, dump);
        WavePair pair = compare(blocks, blocks.roundRobin(folder, requesters), dump);
        pair.same("block.last", "bench.dut.last");
        pair.same("block.grant", "bench.grant");
    }
}
