package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Tap;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChannelTest {
    private final Sim sim = new Sim(SimSpec.of(1).withChecked(true));
    private final Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
    private final LambdaModule p = new LambdaModule(sim.root(), "p", clock);
    private final LambdaModule q = new LambdaModule(sim.root(), "q", clock);

    @Test
    void occupancyAtTheStartOfTheCycleDecides() {
        LongChannel c = new LongChannel(sim.root(), "c", clock, 1).from(p).to(q);
        List<String> seen = new ArrayList<>();
        p.tick = n -> {
            seen.add(n + (c.ready(n) ? " ready" : " full"));
            if (c.ready(n)) {
                c.put(n, n);
            }
            return true;
        };
        q.tick = n -> {
            if (c.valid(n)) {
                seen.add(n + " got " + c.take(n));
            }
            return true;
        };
        sim.run(4_000);
        assertThat(seen).containsExactly("0 ready", "1 full", "1 got 0", "2 ready", "3 full", "3 got 2");
        assertThat(c.capacity()).isEqualTo(1);
        assertThat(c.occupancy()).isZero();
        assertThat(c.clock()).isSameAs(clock);
    }

    @Test
    void secondPutsAndTakesInACycleAreOurBug() {
        LongChannel c = new LongChannel(sim.root(), "c", clock, 4).from(p).to(q);
        p.tick = n -> {
            c.put(n, 1);
            assertThatThrownBy(() -> c.put(n, 2))
                    .isInstanceOf(InvariantViolation.class)
                    .hasMessageContaining("c: put in cycle 0: the second");
            return false;
        };
        q.tick = n -> {
            if (n == 0) {
                assertThatThrownBy(() -> c.take(n)).hasMessageContaining("no word is visible");
                return false;
            }
            c.take(n);
            assertThatThrownBy(() -> c.take(n)).hasMessageContaining("take in cycle 1: the second");
            return false;
        };
        sim.run(2_000);
    }

    @Test
    void aFullChannelTakesNothing() {
        LongChannel c = new LongChannel(sim.root(), "c", clock, 1).from(p).to(q);
        p.tick = n -> {
            c.put(n, 1);
            return true;
        };
        assertThatThrownBy(() -> sim.run(2_000))
                .hasMessageContaining("the channel is full")
                .hasMessageContaining("[1.000 ns]");
        assertThatThrownBy(() -> sim.run(3_000)).hasMessageContaining("after one that failed");
    }

    @Test
    void aCheckedKernelComparesTheCycle() {
        LongChannel c = new LongChannel(sim.root(), "c", clock, 1).from(p).to(q);
        p.tick = n -> {
            c.put(n + 1, 1);
            return true;
        };
        assertThatThrownBy(() -> sim.run(1_000)).hasMessageContaining("put in cycle 1: the clock is in cycle 0");
    }

    @Test
    void aCheckedKernelCatchesIdleTicksThatChangeState() {
        RandomBlock.Fields f = p.state(new RandomBlock.Fields());
        p.tick = n -> {
            f.turn++;
            return false;
        };
        assertThatThrownBy(() -> sim.run(1_000))
                .hasMessageContaining("p: tick of cycle 0 returned false but changed state");
    }

    @Test
    void aCheckedKernelCatchesIdleTicksThatCountOrDraw() {
        var counter = p.counter("drops", "frames", "frames dropped");
        p.tick = n -> {
            counter.add(1);
            return false;
        };
        assertThatThrownBy(() -> sim.run(1_000)).hasMessageContaining("returned false but changed state");
        Sim other = new Sim(SimSpec.of(1).withChecked(true));
        LambdaModule m = new LambdaModule(other.root(), "m", new Clock(other.root(), "c", Frequency.mhz(1)));
        var random = other.random("somewhere");
        m.tick = n -> random.nextLong() == 0;
        assertThatThrownBy(() -> other.run(1_000)).hasMessageContaining("m: tick of cycle 0");
    }

    /** Who says that the next tick would find nothing is spared it; the checked kernel has it run all the same, and compares. */
    @Test
    void aRestIsBelievedAndCheckedInTheCheckedKernel() {
        RandomBlock.Fields f = p.state(new RandomBlock.Fields());
        p.tick = n -> {
            f.turn++;
            return p.rests(true);
        };
        assertThatThrownBy(() -> sim.run(2_000))
                .hasMessageContaining("p: tick of cycle 1 did something, though the tick before said rest(true)");
        for (boolean rests : new boolean[] {true, false}) {
            Sim fast = new Sim(SimSpec.of(1));
            LambdaModule m = new LambdaModule(fast.root(), "m", new Clock(fast.root(), "c", Frequency.mhz(1000)));
            m.tick = n -> {
                m.at(n + 10);
                return n % 10 == 0 && (!rests || m.rests(true));
            };
            fast.run(100_000);
            assertThat(fast.evaluations()).isEqualTo(rests ? 10 : 20);
        }
    }

    /** Room in a channel that had some is no news: its producer is woken by a take only if the channel was full. */
    @Test
    void aTakeWakesTheProducerOfAFullChannelOnly() {
        for (int capacity = 1; capacity <= 2; capacity++) {
            Sim fast = new Sim(SimSpec.of(1));
            Clock c = new Clock(fast.root(), "c", Frequency.mhz(1000));
            LambdaModule from = new LambdaModule(fast.root(), "from", c);
            LambdaModule to = new LambdaModule(fast.root(), "to", c);
            LongChannel words = new LongChannel(fast.root(), "words", c, capacity)
                    .from(from)
                    .to(to);
            List<Long> ticks = new ArrayList<>();
            from.tick = n -> {
                ticks.add(n);
                if (n == 0) {
                    words.put(n, 1);
                }
                return n == 0 && from.rests(true);
            };
            to.tick = n -> words.valid(n) && words.take(n) == 1;
            fast.run(10_000);
            assertThat(ticks).isEqualTo(capacity == 1 ? List.of(0L, 2L) : List.of(0L));
        }
    }

    @Test
    void tapsAndJourneysSeeWhatPasses() {
        sim.enableJourneys(8);
        Channel<TestToken> c =
                new Channel<TestToken>(sim.root(), "c", clock, 2).from(p).to(q);
        LongChannel w = new LongChannel(sim.root(), "w", clock, 2).from(p).to(q);
        c.follow(sim.stages().id("queue"), 3);
        w.follow(5, 4, x -> x / 10);
        List<String> seen = new ArrayList<>();
        c.tap(new Tap() {
            @Override
            public void put(long cycle, long ps, long bits, @Nullable Token token) {
                seen.add("put " + cycle + " " + ps + " " + bits);
            }

            @Override
            public void take(long cycle, long ps, long bits, @Nullable Token token) {
                seen.add("take " + cycle + " " + ps + " " + bits);
            }
        });
        p.tick = n -> {
            if (n == 0) {
                TestToken t = new TestToken(1, 2);
                t.journey = 77;
                c.put(n, t);
                w.put(n, 420);
            }
            return false;
        };
        q.tick = n -> {
            if (n == 3) {
                assertThat(c.bits().journey).isEqualTo(77);
                c.take(n);
                w.take(n);
            }
            q.at(n + 1);
            return n == 3;
        };
        sim.run(5_000);
        assertThat(seen).containsExactly("put 0 0 77", "take 3 3000 77");
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(2);
        assertThat(List.of(log.journey(0), log.in(0), log.out(0))).containsExactly(77L, 0L, 3000L);
        assertThat(List.of(log.stage(0), log.cause(0), log.seq(0)))
                .containsExactly(sim.stages().id("queue"), 3, 0);
        assertThat(log.journey(1)).isEqualTo(42);
        assertThatThrownBy(c::bits).hasMessageContaining("empty channel");
    }
}
