package dev.clockwire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.LongSource;
import dev.clockwire.testkit.SimTest;
import dev.clockwire.testkit.Stall;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RateGateTest {
    private static final RateGateSpec TEN_BYTES = new RateGateSpec(10, 100);

    private static LongSink build(Sim sim, BlockContract.Stalls stalls, long... packets) {
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        LongChannel in = new LongChannel(sim.root(), "in", clock, 2);
        LongChannel out = new LongChannel(sim.root(), "out", clock, 2);
        new LongSource(sim.root(), "source", clock, in, stalls.of("source"), packets);
        new RateGate(sim.root(), clock, in, out, TEN_BYTES);
        return new LongSink(sim.root(), "sink", clock, out, stalls.of("sink"));
    }

    @Property(tries = 20)
    void itKeepsTheLawsOfBlocks(@ForAll long seed) {
        BlockContract.of(RateGateTest::design, 2_000_000).check(seed);
    }

    private static Supplier<?> design(Sim sim, BlockContract.Stalls stalls) {
        LongSink sink = build(sim, stalls, 100, 50, 1000, 1, 64, 64, 300);
        return sink::values;
    }

    @SimTest
    void packetsPassAtTheRate(Sim sim) {
        LongSink sink = build(sim, name -> Stall.none(), 100, 50, 50, 200, 50);
        sim.run(1_000_000);
        // the burst passes at once, then 50 B every 5 cycles; 200 B need a full bucket and leave it at -100
        assertThat(sink.cycles()).containsExactly(2L, 7L, 12L, 22L, 37L);
    }

    @Test
    void nonsenseIsRefusedWithItsValue() {
        assertThatThrownBy(() -> new RateGateSpec(0, 100))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("rate 0 B/cycle");
    }
}
