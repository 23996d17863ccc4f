package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The laws of a channel with the consumer evaluated first, between sleepers anywhere in the clock's masks, and with journeys. */
class WireTest {
    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
    private final List<String> seen = new ArrayList<>();

    private LambdaModule module(String name) {
        return new LambdaModule(sim.root(), name, clock);
    }

    @Test
    void aSlotFreedInACycleIsUsableInTheNext() {
        LambdaModule q = module("q");
        LambdaModule p = module("p");
        LongChannel c = new LongChannel(sim.root(), "c", clock, 2).from(p).to(q);
        q.tick = n -> {
            if (n >= 3) {
                assertThat(c.valid(n)).isTrue();
                long head = c.bits();
                seen.add("took " + c.take(n));
                assertThat(c.valid(n)).isFalse();
                assertThat(seen).last().isEqualTo("took " + head);
                assertThatThrownBy(() -> c.take(n)).hasMessageContaining("take in cycle " + n + ": the second");
            }
            return true;
        };
        p.tick = n -> {
            seen.add(n + (c.ready(n) ? " ready" : " full"));
            if (c.ready(n)) {
                c.put(n, n);
                assertThat(c.ready(n)).isFalse();
            }
            return true;
        };
        sim.run(6_000);
        assertThat(seen)
                .containsExactly(
                        "0 ready", "1 ready", "2 full", "took 0", "3 full", "took 1", "4 ready", "took 4", "5 ready");
    }

    @ParameterizedTest
    @CsvSource({"0,1", "3,70", "70,3", "63,64", "64,63", "130,129"})
    void bothEndsAreWokenWhereverTheyAre(int producer, int consumer) {
        List<LambdaModule> all = new ArrayList<>();
        for (int i = 0; i < 140; i++) {
            all.add(module("m" + i));
        }
        LongChannel c = new LongChannel(sim.root(), "c", clock, 1)
                .from(all.get(producer))
                .to(all.get(consumer));
        all.get(producer).tick = n -> {
            seen.add("p" + n);
            if (!c.ready(n)) {
                return false;
            }
            c.put(n, n);
            return true;
        };
        LambdaModule q = all.get(consumer);
        q.tick = n -> {
            seen.add("q" + n);
            if (!c.valid(n)) {
                return false;
            }
            if (n < 30) {
                q.at(30);
                return false;
            }
            c.take(n);
            return false;
        };
        sim.run(1_000);
        seen.sort(null);
        assertThat(seen).containsExactly("p0", "q0");
        sim.run(33_000);
        assertThat(seen.subList(2, seen.size())).containsExactlyInAnyOrder("p1", "q1", "q30", "p31", "q32", "p32");
        assertThat(sim.evaluations()).isEqualTo(140 + 6);
    }

    @Test
    void aCheckedKernelComparesTheCycleOfATake() {
        Sim checked = new Sim(SimSpec.of(1).withChecked(true));
        Clock clk = new Clock(checked.root(), "clk", Frequency.mhz(1000));
        LambdaModule p = new LambdaModule(checked.root(), "p", clk);
        LambdaModule q = new LambdaModule(checked.root(), "q", clk);
        LongChannel c = new LongChannel(checked.root(), "c", clk, 1).from(p).to(q);
        p.tick = n -> {
            if (n == 0) {
                c.put(n, 1);
            }
            return n == 0;
        };
        q.tick = n -> {
            if (c.valid(n)) {
                c.take(n + 3);
            }
            return true;
        };
        assertThatThrownBy(() -> checked.run(5_000)).hasMessageContaining("take in cycle 4: the clock is in cycle 1");
    }

    @Test
    void eachWordOfAJourneyWaitsFromItsOwnPut() {
        sim.enableJourneys(64);
        LambdaModule p = module("p");
        LambdaModule q = module("q");
        LongChannel c = new LongChannel(sim.root(), "c", clock, 3).from(p).to(q).follow(5, 4, x -> x);
        p.tick = n -> {
            if (c.ready(n)) {
                c.put(n, n + 1);
            }
            return true;
        };
        q.tick = n -> {
            if (n % 4 == 3) {
                c.take(n);
            }
            return true;
        };
        sim.run(40_000);
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(10);
        for (int i = 0; i < log.size(); i++) {
            assertThat(log.in(i)).isEqualTo(1000 * (log.journey(i) - 1));
            assertThat(log.out(i)).isEqualTo(1000 * (4L * i + 3));
            assertThat(log.stage(i)).isEqualTo(5);
            assertThat(log.cause(i)).isEqualTo(4);
        }
    }

    @Test
    void aWordPutBeforeARestoreStampsNoWait() {
        sim.enableJourneys(8);
        LambdaModule p = module("p");
        LambdaModule q = module("q");
        LongChannel c = new LongChannel(sim.root(), "c", clock, 2).from(p).to(q).follow(5, 4, x -> 9);
        p.tick = n -> {
            if (n == 0) {
                c.put(n, 1);
            }
            return n == 0;
        };
        sim.run(2_000);
        Sim other = new Sim(SimSpec.of(1));
        other.enableJourneys(8);
        Clock clk = new Clock(other.root(), "clk", Frequency.mhz(1000));
        LambdaModule from = new LambdaModule(other.root(), "p", clk);
        LambdaModule to = new LambdaModule(other.root(), "q", clk);
        LongChannel d =
                new LongChannel(other.root(), "c", clk, 2).from(from).to(to).follow(5, 4, x -> 9);
        to.tick = n -> {
            d.take(n);
            return false;
        };
        other.restore(sim.save());
        other.run(3_000);
        JourneyLog log = Objects.requireNonNull(other.journeys());
        assertThat(log.size()).isEqualTo(1);
        assertThat(log.in(0)).isEqualTo(log.out(0)).isEqualTo(2_000);
    }
}
