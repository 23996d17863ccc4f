package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** What may not be visible: trains, skipped polls, observers, the order in which the kernel does things, stops on the way. */
class TrainProperties {
    private static final long END = 30_000_000;
    private static final SimSpec ACTIVITY = SimSpec.of(1);

    private static Traffic whole(SimSpec spec, long seed, boolean tapped) {
        Traffic t = new Traffic(spec, seed, tapped);
        t.run(END);
        return t;
    }

    @Property(tries = 100)
    void trainsAndSinglePacketsGiveTheSameTimes(@ForAll long seed) {
        Traffic trains = whole(ACTIVITY, seed, true);
        Traffic singles = whole(ACTIVITY.withMode(KernelMode.EXHAUSTIVE), seed, true);
        assertThat(trains.packets).isEqualTo(singles.packets);
        assertThat(trains.results()).isEqualTo(singles.results());
        assertThat(whole(ACTIVITY, seed, false).results()).isEqualTo(singles.results());
    }

    @Property(tries = 60)
    void aRunStoppedAnywhereHasTheSameTrace(@ForAll long seed, @ForAll @LongRange(min = 1, max = 3_000_000) long stop) {
        Traffic trains = new Traffic(ACTIVITY, seed, false);
        Traffic singles = new Traffic(ACTIVITY.withMode(KernelMode.EXHAUSTIVE), seed, false);
        for (long t : new long[] {stop / 2, stop, END}) {
            trains.run(t);
            singles.run(t);
            assertThat(trains.rig.sim.traceHash()).isEqualTo(singles.rig.sim.traceHash());
        }
    }

    @Property(tries = 30)
    void orderOfSchedulingAndObserversAreInvisible(@ForAll long seed) {
        List<String> plain = whole(ACTIVITY, seed, false).results();
        assertThat(whole(ACTIVITY.withShuffle(seed | 1, seed | 2), seed, true).results())
                .isEqualTo(plain);
        assertThat(whole(ACTIVITY.withWheelBits(2), seed, false).results()).isEqualTo(plain);
    }

    @Property(tries = 60)
    void aRestoredRunGoesOnAsTheFirst(@ForAll long seed, @ForAll @LongRange(min = 1, max = 4_000_000) long stop) {
        Traffic first = new Traffic(ACTIVITY, seed, true);
        first.run(stop);
        Snapshot half = first.rig.sim.save();
        int before = first.packets.size();
        first.run(END);
        List<String> rest = List.copyOf(first.packets.subList(before, first.packets.size()));
        long hash = first.rig.sim.traceHash();

        first.packets.clear();
        first.rig.sim.restore(half);
        first.run(END);
        assertThat(first.packets).isEqualTo(rest);
        assertThat(first.rig.sim.traceHash()).isEqualTo(hash);
    }
}
