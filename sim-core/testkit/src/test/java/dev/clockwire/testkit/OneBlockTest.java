package dev.clockwire.testkit;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.state.Snapshot;

/** One block between drivers; the cycles are counted by hand from the laws of channels. */
class OneBlockTest {
    @SimTest
    void stallPatternsHoldBackWhatGoesInAndOut(Sim sim) {
        OneBlock block = OneBlock.at(sim, Frequency.mhz(250));
        LongSource in = block.source("in", Stall.pattern("1101"), 1, 2, 3, 4);
        LongSink out = block.sink("out", Stall.pattern("100"));
        new Delay(sim.root(), block.clock(), in.channel(), out.channel());
        block.run(3);
        assertThat(out).isEmpty();
        block.run(17);
        // in at 0, 1, 3, 4; through one cycle later; taken in cycles divisible by 3 that see it
        assertThat(out).hasWords(1, 2, 3, 4).inCycles(3, 6, 9, 12).endsBy(12);
        assertThat(sim.now()).isEqualTo(20 * 4000);
    }

    @SimTest
    void wordsArePushedBetweenRuns(Sim sim) {
        OneBlock block = OneBlock.at(sim, Frequency.mhz(1000));
        LongSource in = block.source("in", Stall.none());
        LongSink out = block.sink("out", Stall.none());
        new Delay(sim.root(), block.clock(), in.channel(), out.channel());
        block.run(10);
        in.push(7, 8);
        block.await(out, 2, 10);
        assertThat(out).hasWords(7, 8).inCycles(12, 13);
        Snapshot half = sim.save();
        in.push(9);
        block.await(out, 3, 10);
        sim.restore(half);
        block.run(10);
        assertThat(out).hasSize(2);
        assertThat(in.done()).isTrue();
        assertThatThrownBy(() -> block.await(out, 3, 100))
                .isInstanceOf(ModelAssertionError.class)
                .hasMessage("out: 2 of 3 came out within 100 cycles");
    }

    @SimTest
    void tokensArePushedToo(Sim sim) {
        OneBlock block = OneBlock.at(sim, Frequency.mhz(1000));
        TokenSource<NumberToken> in = block.source("in", Stall.none(), 2, NumberToken::new);
        TokenSink<NumberToken> out =
                new TokenSink<>(sim.root(), "sink", block.clock(), in.channel(), Stall.none(), NumberToken::number);
        block.await(out, 2, 10);
        in.push(1);
        block.await(out, 3, 10);
        assertThat(out).hasWords(0, 1, 2);
        assertThat(out.channel().path()).isEqualTo("in");
    }
}
