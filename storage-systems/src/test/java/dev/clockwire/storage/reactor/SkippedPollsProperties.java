package dev.clockwire.storage.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.state.Snapshot;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Polls that are skipped cost what they cost and count what they count. */
class SkippedPollsProperties {
    @Property(tries = 150)
    void skippedIsAsSimulated(@ForAll long seed, @ForAll boolean adaptive) {
        assertThat(new RandomReactors(KernelMode.ACTIVITY, seed, adaptive).run(RandomReactors.SPAN, seed))
                .isEqualTo(new RandomReactors(KernelMode.EXHAUSTIVE, seed, adaptive).run(RandomReactors.SPAN, seed));
    }

    /** Run = run half, save, run the rest, restore, run the rest again. */
    @Property(tries = 60)
    void aSnapshotGoesOnAsTheRunDoes(
            @ForAll long seed,
            @ForAll boolean adaptive,
            @ForAll boolean exhaustive,
            @ForAll @LongRange(min = 1_000, max = 4_000_000) long at) {
        KernelMode mode = exhaustive ? KernelMode.EXHAUSTIVE : KernelMode.ACTIVITY;
        RandomReactors whole = new RandomReactors(mode, seed, adaptive);
        whole.bench.sim.run(at);
        Snapshot half = whole.save();
        int before = whole.bench.log.size();
        List<String> all = whole.run(RandomReactors.SPAN, seed);
        List<String> rest = List.copyOf(all.subList(before, all.size()));
        whole.bench.log.clear();
        whole.bench.sim.restore(half);
        assertThat(whole.run(RandomReactors.SPAN, seed)).isEqualTo(rest);
    }

    /** What one kernel has skipped up to a place in a round another goes on with, and in another simulation. */
    @Property(tries = 60)
    void aSnapshotFitsAnyMode(
            @ForAll long seed,
            @ForAll boolean adaptive,
            @ForAll boolean exhaustive,
            @ForAll @LongRange(min = 2_000_000, max = 4_000_000) long behind) {
        KernelMode one = exhaustive ? KernelMode.EXHAUSTIVE : KernelMode.ACTIVITY;
        KernelMode other = exhaustive ? KernelMode.ACTIVITY : KernelMode.EXHAUSTIVE;
        RandomReactors from = new RandomReactors(one, seed, adaptive);
        from.bench.sim.run(RandomReactors.SPAN + behind); // the device's writes, which know their simulation, are over
        RandomReactors to = new RandomReactors(other, seed, adaptive);
        Snapshot half = from.save();
        from.bench.log.clear();
        to.bench.sim.restore(half);
        assertThat(to.run(2 * RandomReactors.SPAN, seed)).isEqualTo(from.run(2 * RandomReactors.SPAN, seed));
    }

    /** Between two calls of a poller that is always busy the reactor looks at its events and at the messages of two threads. */
    @Test
    void looksAtEmptyRingsAreNotSimulated() {
        Bench b = new Bench(KernelMode.ACTIVITY, 1, Bench.SPEC);
        b.reactors.thread("idle");
        Poller p = b.reactors.thread("busy").poller("p", self -> 1);
        p.register(0);
        b.sim.run(1_000_000_000);
        Reactor r = p.thread().reactor();
        assertThat(p.runCount()).isGreaterThan(10_000);
        assertThat(r.core().steps()).isGreaterThan(3 * p.runCount());
        assertThat(b.sim.events()).isLessThan(p.runCount() + 100);
    }

    @Test
    void emptyRoundsAreNotSimulated() {
        Bench b = new Bench(KernelMode.ACTIVITY, 1, Bench.SPEC);
        StorageThread t = b.reactors.thread("t");
        int[] simulated = {0};
        Poller p = t.poller("p", self -> {
            simulated[0]++;
            self.watch(b.memory.address(), 1);
            return 0;
        });
        p.register(0);
        b.sim.run(1_000_000_000);
        assertThat(p.runCount()).isGreaterThan(90_000);
        assertThat(simulated[0]).isLessThan(5);
        assertThat(b.sim.events()).isLessThan(100);
    }
}
