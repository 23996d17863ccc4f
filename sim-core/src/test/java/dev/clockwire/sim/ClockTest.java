package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ClockTest {
    private static final Frequency MHZ_322 = Frequency.ofPeriodPs(102_400, 33); // 322.265625 MHz

    private static LambdaModule counter(Clock c) {
        LambdaModule m = new LambdaModule(c.sim().root(), "counter of " + c.path(), c);
        m.tick = cycle -> true;
        return m;
    }

    @Test
    void aRationalClockDoesNotDrift() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock c = new Clock(sim.root(), "c", MHZ_322);
        counter(c);
        sim.run(10_000_000_000L);
        assertThat(c.cycle() + 1).isEqualTo(3_222_657);
        assertThat(sim.evaluations()).isEqualTo(3_222_657);
    }

    @ParameterizedTest
    @CsvSource({
        "102400,33,0",
        "102400,33,17",
        "4000,1,5",
        "8000,3,0",
        "1,1,0",
        "1000001,1000000,3",
        "999999999999,999999,1"
    })
    void edgesAreAtTheFloorOfTheirExactTime(long num, long den, long phase) {
        Sim sim = new Sim(SimSpec.of(1));
        Clock c = new Clock(sim.root(), "c", Frequency.ofPeriodPs(num, den), phase);
        for (long n : new long[] {0, 1, 2, 3, 32, 33, 34, 1000, 999_999, 1_000_000}) {
            BigInteger exact =
                    BigInteger.valueOf(num).multiply(BigInteger.valueOf(n)).divide(BigInteger.valueOf(den));
            long t = phase + exact.longValueExact();
            assertThat(c.edgeTime(n)).as("edge %d", n).isEqualTo(t);
            assertThat(c.edgeAfter(t)).as("after edge %d", n).isEqualTo(n + 1);
            if (num > den) {
                assertThat(c.edgeAfter(t - 1)).as("before edge %d", n).isEqualTo(n);
            }
        }
    }

    @Test
    void frequenciesAreReducedAndChecked() {
        assertThat(Frequency.mhz(250)).isEqualTo(Frequency.ofPeriodPs(4000, 1));
        assertThat(Frequency.hz(322_265_625)).isEqualTo(MHZ_322);
        assertThat(MHZ_322.mhz()).isEqualTo(322.265625);
        assertThatThrownBy(() -> Frequency.ofPeriodPs(0, 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> Frequency.ofPeriodPs(5, -1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> Frequency.ofPeriodPs(1, 2)).hasMessageContaining("1/2");
        assertThatThrownBy(() -> Frequency.ofPeriodPs(2_000_003, 1_000_003)).hasMessageContaining("denominator");
        assertThatThrownBy(() -> Frequency.ofPeriodPs(2_000_000_000_000L, 1)).hasMessageContaining("numerator");
    }

    @ParameterizedTest
    @EnumSource(KernelMode.class)
    void wakeAtReachesNearAndFarEdges(KernelMode mode) {
        Sim sim = new Sim(SimSpec.of(1).withMode(mode));
        Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
        LambdaModule m = new LambdaModule(sim.root(), "m", c);
        long[] wanted = {1, 2, 64, 65, 66, 129, 130, 1000, 1063, 5000};
        List<Long> seen = new ArrayList<>();
        m.tick = cycle -> {
            int done = seen.size();
            if (done == wanted.length) {
                return false;
            }
            if (cycle < wanted[done]) {
                m.at(wanted[done]);
                return false;
            }
            seen.add(cycle);
            if (done + 1 < wanted.length) {
                m.at(wanted[done + 1]);
            }
            return false;
        };
        sim.run(10_000_000);
        assertThat(seen).containsExactly(1L, 2L, 64L, 65L, 66L, 129L, 130L, 1000L, 1063L, 5000L);
    }

    @Test
    void aWakeInThePastOrInTheWrongPhaseIsOurBug() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
        LambdaModule m = new LambdaModule(sim.root(), "m", c);
        m.tick = cycle -> {
            assertThatThrownBy(() -> m.at(cycle))
                    .isInstanceOf(InvariantViolation.class)
                    .hasMessageContaining("m: wakeAt(0)");
            assertThatThrownBy(m::now0).isInstanceOf(InvariantViolation.class).hasMessageContaining("event handlers");
            return false;
        };
        sim.run(1);
        assertThat(sim.evaluations()).isEqualTo(1);
    }

    @Test
    void wakeHitsTheEdgeOfThisInstantOrTheNext() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
        LambdaModule m = new LambdaModule(sim.root(), "m", c);
        List<Long> ticks = new ArrayList<>();
        m.tick = cycle -> {
            ticks.add(cycle);
            return false;
        };
        Timer t = new Timer(m, "t") {
            @Override
            protected void expired(long at) {
                m.now0();
            }
        };
        sim.run(1);
        t.arm(500_000);
        sim.run(600_500);
        t.arm(700_001);
        sim.run(800_000);
        m.now0();
        sim.run(900_000);
        assertThat(ticks).containsExactly(0L, 500L, 701L, 800L);
    }

    @Test
    void manyModulesAndSpecialisedLoopsRunOncePerEdge() {
        for (LoopKind loop : LoopKind.values()) {
            Sim sim = new Sim(SimSpec.of(1).withLoop(loop));
            Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
            long[] ticks = new long[150];
            for (int i = 0; i < ticks.length; i++) {
                int j = i;
                LambdaModule m = new LambdaModule(sim.root(), "m" + i, c);
                m.tick = cycle -> {
                    ticks[j]++;
                    if (j % 3 == 0) {
                        m.at(cycle + 2);
                    }
                    return j % 3 != 0;
                };
            }
            sim.run(100_000);
            for (int i = 0; i < ticks.length; i++) {
                long least = i % 3 == 0 ? 50 : 100;
                assertThat(ticks[i])
                        .as("module %d", i)
                        .isGreaterThanOrEqualTo(least)
                        .isLessThanOrEqualTo(100);
            }
        }
    }

    @Test
    void aBusyClockGetsItsOwnLoop() {
        Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(1_000_000_000L));
        Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
        counter(c);
        counter(new Clock(sim.root(), "unused", Frequency.mhz(1)));
        assertThat(c.specialised()).isFalse();
        sim.run(4_000_000_000L);
        assertThat(c.specialised()).isTrue();
        assertThat(c.cycle()).isEqualTo(3_999_999);
    }

    /** Of few modules awake at an edge, fewer than a quarter, the plain loop is the quicker one. */
    @Test
    void aClockWithMostModulesAsleepKeepsThePlainLoop() {
        for (int others : new int[] {3, 4}) {
            Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(1_000_000_000L));
            Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
            counter(c);
            for (int i = 0; i < others; i++) {
                new LambdaModule(sim.root(), "idle" + i, c);
            }
            sim.run(4_000_000_000L);
            assertThat(c.specialised()).isEqualTo(others == 3);
        }
    }

    /** What a module that nobody uses costs: nothing, and what comes in wakes it as any other. */
    @Test
    void aModuleThatStartsAsleepIsTickedForItsInputOnly() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
        new Sleeper(sim.root(), "unused", c);
        sim.run(5_000);
        assertThat(sim.evaluations()).isZero();

        Sim used = new Sim(SimSpec.of(1));
        Sleeper sleeper = new Sleeper(used.root(), "used", new Clock(used.root(), "c", Frequency.mhz(1000)));
        sleeper.in.write(7);
        used.run(5_000);
        assertThat(sleeper.seen).containsExactly(1L);
        assertThat(used.evaluations()).isEqualTo(2); // it took the word, and then there was none
    }

    @Test
    void aModuleThatIsWokenBeforeTimeZeroDoesNotStartAsleep() {
        Sim sim = new Sim(SimSpec.of(1));
        Sleeper sleeper = new Sleeper(sim.root(), "m", new Clock(sim.root(), "c", Frequency.mhz(1000)));
        sleeper.ask();
        sim.run(5_000);
        assertThat(sim.evaluations()).isEqualTo(1);
    }

    private static final class Sleeper extends SimModule {
        final LongInlet in;
        final List<Long> seen = new ArrayList<>();

        Sleeper(Scope parent, String name, Clock clock) {
            super(parent, name, clock);
            startAsleep();
            in = new LongInlet(this, "in", 4, 1);
        }

        void ask() {
            wake();
        }

        @Override
        protected boolean tick(long cycle) {
            if (!in.valid(cycle)) {
                return false;
            }
            in.take(cycle);
            seen.add(cycle);
            return true;
        }
    }
}
