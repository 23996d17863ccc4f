package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A deadline moved, cancelled and set again, in every kind of kernel: it fires once, at the last time set. */
class TimerTest {
    private final List<Long> fired = new ArrayList<>();

    static Stream<SimSpec> specs() {
        SimSpec s = SimSpec.of(1);
        SimSpec plain = s.withMode(KernelMode.EXHAUSTIVE);
        return Stream.of(s, plain, s.withShuffle(0, 5), plain.withShuffle(0, 5), s.withWheelBits(2));
    }

    private Timer timer(Sim sim, String name) {
        return new Timer(new SimNode(sim.root(), name) {}, "t") {
            @Override
            protected void expired(long at) {
                assertThat(at).isEqualTo(now());
                assertThat(armed()).isFalse();
                assertThat(deadline()).isEqualTo(Long.MAX_VALUE);
                fired.add(at);
            }
        };
    }

    private void expect(Sim sim, long until, Long... times) {
        sim.run(until);
        assertThat(fired).containsExactly(times);
        assertThat(sim.events()).isEqualTo(times.length);
    }

    @ParameterizedTest
    @MethodSource("specs")
    void aDeadlineMovesBothWays(SimSpec spec) {
        Sim sim = new Sim(spec);
        Timer t = timer(sim, "n");
        sim.elaborate();
        t.arm(100);
        t.arm(50);
        assertThat(t.deadline()).isEqualTo(50);
        expect(sim, 200, 50L);
        t.arm(300);
        t.arm(400);
        expect(sim, 401, 50L, 400L);
        t.arm(500);
        t.cancel();
        assertThat(t.armed()).isFalse();
        expect(sim, 600, 50L, 400L);
        t.arm(700);
        t.cancel();
        t.arm(700);
        expect(sim, 701, 50L, 400L, 700L);
        t.arm(800);
        t.cancel();
        t.arm(850);
        expect(sim, 900, 50L, 400L, 700L, 850L);
        t.arm(1_000);
        t.arm(950);
        t.arm(1_000);
        expect(sim, 1_001, 50L, 400L, 700L, 850L, 1_000L);
        sim.run(2_000);
        assertThat(sim.queue.size).isZero();
        assertThat(sim.queue.dead).isZero();
        assertThatThrownBy(() -> t.arm(2_000)).hasMessageContaining("not in the future");
        t.arm(2_001);
        expect(sim, 3_000, 50L, 400L, 700L, 850L, 1_000L, 2_001L);
    }

    @ParameterizedTest
    @MethodSource("specs")
    void timersAtOneTimeDoNotTouchEachOther(SimSpec spec) {
        Sim sim = new Sim(spec);
        Timer a = timer(sim, "a");
        Timer b = timer(sim, "b");
        Timer c = timer(sim, "c");
        sim.elaborate();
        a.arm(100);
        b.arm(100);
        c.arm(100);
        b.arm(90);
        c.cancel();
        expect(sim, 1_000, 90L, 100L);
        a.arm(5_000);
        b.arm(5_000);
        sim.run(2_000);
        b.arm(5_001);
        expect(sim, 6_000, 90L, 100L, 5_000L, 5_001L);
    }

    @ParameterizedTest
    @MethodSource("specs")
    void deadEntriesAreCountedAndLeave(SimSpec spec) {
        Sim sim = new Sim(spec);
        Timer t = timer(sim, "n");
        sim.elaborate();
        for (long at = 1_000; at > 100; at -= 100) {
            t.arm(at);
        }
        boolean exhaustive = spec.mode() == KernelMode.EXHAUSTIVE;
        assertThat(sim.queue.dead).isEqualTo(exhaustive ? 0 : 8);
        sim.run(101);
        assertThat(sim.queue.size).isEqualTo(exhaustive ? 1 : 9);
        expect(sim, 10_000, 200L);
        assertThat(sim.queue.size).isZero();
        assertThat(sim.queue.dead).isZero();
    }

    @ParameterizedTest
    @MethodSource("specs")
    void manyMovesAreBuriedWithoutLosingADeadline(SimSpec spec) {
        Sim sim = new Sim(spec);
        Timer moved = timer(sim, "moved");
        Timer still = timer(sim, "still");
        Timer beat = new Timer(new SimNode(sim.root(), "beat") {}, "t") {
            @Override
            protected void expired(long at) {
                arm(at + 1_000);
                moved.arm(moved.deadline() - 1);
            }
        };
        sim.elaborate();
        moved.arm(90_000_000);
        still.arm(80_000_000);
        beat.arm(1_000);
        sim.run(40_000_500);
        assertThat(moved.deadline()).isEqualTo(90_000_000 - 40_000);
        assertThat(sim.queue.size)
                .as("two looks at 16384 events each have buried")
                .isLessThan(10_000);
        beat.cancel();
        sim.run(100_000_000);
        assertThat(fired).containsExactly(80_000_000L, 90_000_000L - 40_000);
        assertThat(sim.queue.size).isZero();
        assertThat(sim.queue.dead).isZero();
    }
}
