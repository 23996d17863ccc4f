package dev.clockwire.sim.wave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.wave.ChannelWaits.Wait;
import dev.clockwire.sim.wave.ChannelWaits.Why;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ChannelWaitsTest {
    private static final long PERIOD_PS = 1000;

    /** Puts numbers from a cycle on, when there is room, every so many cycles. */
    private static final class Source extends SimModule {
        private final LongChannel out;
        private final long every;
        private int left;

        Source(Scope parent, Clock clock, LongChannel out, long every, int count) {
            super(parent, "source", clock);
            this.out = out.from(this);
            this.every = every;
            left = count;
            wake();
        }

        @Override
        protected boolean tick(long cycle) {
            if (left > 0 && cycle % every == 0 && out.ready(cycle)) {
                out.put(cycle, left--);
            }
            return left > 0;
        }
    }

    /** Takes a number every so many cycles. */
    private static final class Sink extends SimModule {
        private final LongChannel in;
        private final long every;

        Sink(Scope parent, Clock clock, LongChannel in, long every) {
            super(parent, "sink", clock);
            this.in = in.to(this);
            this.every = every;
            wake();
        }

        @Override
        protected boolean tick(long cycle) {
            if (cycle % every == 0 && in.valid(cycle)) {
                in.take(cycle);
            }
            return true;
        }
    }

    private static List<Wait> run(KernelMode mode, long putEvery, long takeEvery, int count, long cycles) {
        return run(mode, putEvery, takeEvery, count, cycles, true);
    }

    private static List<Wait> run(
            KernelMode mode, long putEvery, long takeEvery, int count, long cycles, boolean sourceFirst) {
        Sim sim = new Sim(SimSpec.of(1).withMode(mode));
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(1000));
        LongChannel wire = new LongChannel(sim.root(), "numbers", clock, 2);
        if (sourceFirst) {
            new Source(sim.root(), clock, wire, putEvery, count);
        }
        new Sink(sim.root(), clock, wire, takeEvery);
        if (!sourceFirst) {
            new Source(sim.root(), clock, wire, putEvery, count);
        }
        ChannelWaits waits = new ChannelWaits(sim);
        sim.run(cycles * PERIOD_PS);
        return waits.waits();
    }

    private static Wait of(List<Wait> all, Why why) {
        return all.stream().filter(w -> w.why() == why).findFirst().orElseThrow();
    }

    /** At full rate a word is taken in the first cycle in which it is there. */
    @ParameterizedTest
    @EnumSource(KernelMode.class)
    void nobodyWaitsAtFullRate(KernelMode mode) {
        assertThat(run(mode, 1, 1, 50, 60)).isEmpty();
    }

    /**
     * Puts at cycles 0, 1, 5, 9, 13; takes at 4, 8, 12, 16, 20: full in 2-4, 6-8, 10-12 and 14-16; words lie there in 1-3, 5-7, 9-11, 13-15 and 17-19.
     */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aSlowConsumerMakesItsProducerWait(boolean sourceFirst) {
        List<Wait> all = run(KernelMode.ACTIVITY, 1, 4, 5, 40, sourceFirst);
        assertThat(of(all, Why.NO_ROOM))
                .isEqualTo(new Wait("numbers", "source", "sink", Why.NO_ROOM, 12_000, 3_000, 4, -1));
        assertThat(of(all, Why.NOT_TAKEN))
                .isEqualTo(new Wait("numbers", "source", "sink", Why.NOT_TAKEN, 15_000, 3_000, 5, -1));
        assertThat(all).hasSize(2);
    }

    /** Puts at 0, 5, 10, taken one cycle later: nothing is there for the consumer in 2-5 and 7-10. */
    @Test
    void aSlowProducerLeavesItsConsumerWithNothing() {
        assertThat(run(KernelMode.ACTIVITY, 5, 1, 3, 40))
                .containsExactly(new Wait("numbers", "sink", "source", Why.NOTHING, 8_000, 4_000, 2, -1));
    }

    /** Nothing is ever taken: full from cycle 2 on, to the end of cycle 19. */
    @Test
    void aWaitThatIsNotOverSaysSinceWhen() {
        List<Wait> all = run(KernelMode.ACTIVITY, 1, 1_000_003, 5, 20);
        assertThat(of(all, Why.NO_ROOM))
                .isEqualTo(new Wait("numbers", "source", "sink", Why.NO_ROOM, 18_000, 18_000, 1, 2_000));
        assertThat(of(all, Why.NOT_TAKEN))
                .isEqualTo(new Wait("numbers", "source", "sink", Why.NOT_TAKEN, 19_000, 19_000, 1, 1_000));
    }
}
