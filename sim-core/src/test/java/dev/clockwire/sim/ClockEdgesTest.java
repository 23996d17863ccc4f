package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Edges of a clock that has run, slept and been restored, against exact fractions; and who is evaluated when. */
class ClockEdgesTest {
    private final List<Long> ticks = new ArrayList<>();

    private static long floor(long num, long den, long phase, long n) {
        return phase
                + BigInteger.valueOf(num)
                        .multiply(BigInteger.valueOf(n))
                        .divide(BigInteger.valueOf(den))
                        .longValueExact();
    }

    private static void check(Clock c, long num, long den, long phase, long now) {
        long last = c.cycle();
        for (long n = Math.max(0, last); n < last + 70; n++) {
            assertThat(c.edgeTime(n)).as("edge %d", n).isEqualTo(floor(num, den, phase, n));
        }
        assertThat(c.edgeTime(last + 1_000_003)).isEqualTo(floor(num, den, phase, last + 1_000_003));
        for (long t = now; t < now + 5 * num / den; t += 1 + num / den / 3) {
            long n = c.edgeAfter(t);
            assertThat(floor(num, den, phase, n)).isGreaterThan(t);
            assertThat(floor(num, den, phase, n - 1)).isLessThanOrEqualTo(t);
        }
    }

    @ParameterizedTest
    @CsvSource({"102400,33,0", "102400,33,17", "4000,1,5", "8000,3,0", "999999999,999998,1"})
    void edgesDoNotDriftThroughWorkAndSleep(long num, long den, long phase) {
        Sim sim = new Sim(SimSpec.of(1));
        Clock c = new Clock(sim.root(), "c", Frequency.ofPeriodPs(num, den), phase);
        LambdaModule m = new LambdaModule(sim.root(), "m", c);
        RandomStream r = RandomStream.named(1, "naps");
        TreeSet<Long> wanted = new TreeSet<>(List.of(0L));
        m.tick = n -> {
            assertThat(wanted.remove(n)).as("a tick in cycle %d", n).isTrue();
            assertThat(c.cycle()).isEqualTo(n);
            assertThat(c.edge()).isEqualTo(sim.now()).isEqualTo(floor(num, den, phase, n));
            ticks.add(n);
            long nap = n + 1 + (r.below(3) == 0 ? r.below(200) : r.below(3));
            m.at(nap);
            wanted.add(nap);
            return false;
        };
        for (int i = 0; i < 60; i++) {
            sim.run(sim.now() + 1 + r.below(300_000));
            check(c, num, den, phase, sim.now());
        }
        assertThat(ticks).hasSizeGreaterThan(30);
        Snapshot s = sim.save();
        long cycle = c.cycle();
        sim.run(sim.now() + 3_000_000);
        assertThat(c.cycle()).isGreaterThan(cycle);
        sim.restore(s);
        check(c, num, den, phase, sim.now());
        ticks.clear();
        m.tick = n -> {
            assertThat(c.edge()).isEqualTo(sim.now()).isEqualTo(floor(num, den, phase, n));
            ticks.add(n);
            m.at(n + 3);
            return false;
        };
        long first = c.cycle() + 1; // everything is awake after a restore
        sim.run(c.edgeTime(first + 10));
        assertThat(ticks).contains(first, first + 3, first + 6, first + 9);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "62", "63", "64", "65", "66", "1000"})
    void aSleeperThatAsksBetweenRunsTicksThen(long ahead) {
        Sim sim = new Sim(SimSpec.of(1));
        Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
        LambdaModule m = new LambdaModule(sim.root(), "m", c);
        m.tick = n -> {
            ticks.add(n);
            return false;
        };
        sim.run(500);
        m.at(ahead);
        sim.run(2_000_500);
        m.at(2_000 + ahead);
        sim.run(5_000_000);
        m.at(4_999 + ahead);
        sim.run(9_000_000);
        assertThat(ticks).containsExactly(0L, ahead, 2_000 + ahead, 4_999 + ahead);
        assertThat(sim.evaluations()).isEqualTo(4);
    }

    @Test
    void ofSeveralFarWishesTheEarliestCounts() {
        Sim sim = new Sim(SimSpec.of(1));
        LambdaModule m = new LambdaModule(sim.root(), "m", new Clock(sim.root(), "c", Frequency.mhz(1000)));
        m.tick = n -> {
            ticks.add(n);
            return false;
        };
        m.at(70); // before elaboration
        sim.run(100_000);
        m.at(300);
        m.at(200);
        m.at(400);
        m.at(101);
        m.at(150);
        sim.run(1_000_000);
        assertThat(ticks).containsExactly(0L, 70L, 101L, 150L, 200L);
        assertThat(sim.events()).as("the kernel's own timers are no events").isZero();
    }

    @Test
    void onlyABusyClockThatIsAllowedToGetsItsOwnLoop() {
        for (LoopKind loop : LoopKind.values()) {
            for (boolean checked : new boolean[] {false, true}) {
                Sim sim = new Sim(
                        SimSpec.of(1).withLoop(loop).withChecked(checked).withWatchdogPs(1_000_000));
                Clock c = new Clock(sim.root(), "c", Frequency.mhz(1000));
                Clock calm = new Clock(sim.root(), "calm", Frequency.mhz(1));
                int[] count = new int[1];
                for (int i = 0; i < 64; i++) {
                    LambdaModule m = new LambdaModule(sim.root(), "m" + i, c);
                    m.tick = n -> {
                        count[0]++;
                        return true;
                    };
                }
                new LambdaModule(sim.root(), "idle", calm);
                sim.run(32_000_000);
                assertThat(c.specialised()).isEqualTo(loop == LoopKind.SPECIALISED);
                sim.run(34_000_000);
                assertThat(c.specialised())
                        .isEqualTo(loop == LoopKind.SPECIALISED || (loop == LoopKind.AUTO && !checked));
                assertThat(calm.specialised()).isEqualTo(loop == LoopKind.SPECIALISED);
                assertThat(count[0]).isEqualTo(64 * 34_000);
                assertThat(c.evaluations()).isEqualTo(count[0]);
                assertThat(sim.evaluations()).isEqualTo(count[0] + calm.evaluations());
            }
        }
    }
}
