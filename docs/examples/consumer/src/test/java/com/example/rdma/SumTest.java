package com.example.rdma;

import static dev.clockwire.testkit.SimAssertions.assertThat;

import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.LongSource;
import dev.clockwire.testkit.OneBlock;
import dev.clockwire.testkit.SimTest;
import dev.clockwire.testkit.Stall;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** One block on its own: what it puts out, in which cycles, and that it keeps the laws of blocks. */
class SumTest {
    @SimTest
    void fourWordsMakeOne(Sim sim) {
        OneBlock block = OneBlock.at(sim, Frequency.mhz(500));
        LongSource in = block.source("in", Stall.pattern("1101"), 1, 2, 3, 4, 10, 20, 30, 40);
        LongSink out = block.sink("out", Stall.none());
        new Sum(block.root(), block.clock(), in.channel(), out.channel());
        block.run(20);
        // words go in at 0, 1, 3, 4, 5, 7, 8, 9; each is seen a cycle later, and the sum a cycle after the fourth
        assertThat(out).hasWords(10, 100).inCycles(6, 11);
    }

    @SimTest
    void wordsArePushedWhileTheTestGoesOn(Sim sim) {
        OneBlock block = OneBlock.at(sim, Frequency.mhz(500));
        LongSource in = block.source("in", Stall.none());
        LongSink out = block.sink("out", Stall.none());
        new Sum(block.root(), block.clock(), in.channel(), out.channel());
        in.push(1, 2, 3);
        block.run(100);
        assertThat(out).isEmpty();
        in.push(4);
        block.await(out, 1, 10);
        assertThat(out).hasWords(10);
    }

    @Property(tries = 10)
    void itKeepsTheLawsOfBlocks(@ForAll long seed) {
        BlockContract.of(SumTest::design, 1_000_000).check(seed);
    }

    private static Supplier<?> design(Sim sim, BlockContract.Stalls stalls) {
        OneBlock block = OneBlock.at(sim, Frequency.mhz(500));
        LongSource in = block.source("in", stalls.of("in"), 1, 2, 3, 4, 5, 6, 7, 8);
        LongSink out = block.sink("out", stalls.of("out"));
        new Sum(block.root(), block.clock(), in.channel(), out.channel());
        return out::values;
    }
}
