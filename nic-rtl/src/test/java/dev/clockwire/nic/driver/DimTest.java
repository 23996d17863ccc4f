package dev.clockwire.nic.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** The levels that adaptive moderation chooses, where rates depend on the level in known ways. */
class DimTest {
    private static final long US = 1_000_000;

    private final Dim dim = new Dim();
    private long ps;
    private long events;
    private long frames;

    /** An event each period of the level, with frames as many as a rate in frames per millisecond brings; returns the levels chosen. */
    private List<Integer> run(int looks, IntToLongFunction framesPerMs) {
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < looks; i++) {
            long took = 64L * dim.usecs();
            ps += took * US;
            events += 64;
            frames += framesPerMs.applyAsLong(dim.usecs()) * took / 1000;
            if (dim.sample(ps, events, frames, 1000 * frames)) {
                chosen.add(dim.usecs());
                dim.isSet();
            }
        }
        return chosen;
    }

    @Test
    void whereNothingButInterruptsChangesItGoesForFew() {
        assertThat(dim.usecs()).isEqualTo(8);
        List<Integer> chosen = run(60, usecs -> 100_000);
        // parked at first, so the first rates count as better: one step to the left, and from there only to the right
        assertThat(chosen).startsWith(1, 8, 64, 128, 256);
        assertThat(dim.usecs()).isEqualTo(256);
        assertThat(dim.tune()).isEqualTo(Dim.Tune.PARKING_ON_TOP);
        assertThat(dim.frames()).isEqualTo(256);
    }

    @Test
    void whereFewFramesComeWhenTheyWaitItGoesForShortPeriods() {
        run(60, usecs -> 100_000 / usecs);
        assertThat(dim.usecs()).isEqualTo(1);
        assertThat(dim.tune()).isEqualTo(Dim.Tune.PARKING_ON_TOP);
    }

    @Test
    void betweenThemItStaysAtTheBest() {
        IntToLongFunction rate = usecs -> usecs == 64 ? 100_000 : usecs == 8 || usecs == 128 ? 50_000 : 20_000;
        run(40, rate);
        assertThat(dim.usecs()).isEqualTo(64);
        assertThat(dim.tune()).isEqualTo(Dim.Tune.PARKING_ON_TOP);
        assertThat(run(50, rate)).as("and is left in peace").isEmpty();
        assertThat(run(3, usecs -> 200_000 / usecs)).as("until rates change").isNotEmpty();
    }

    @Test
    void fewerThan64EventsSayNothing() {
        for (int i = 1; i < 64; i++) {
            assertThat(dim.sample(i * US, i, 100L * i, 1000L * i)).isFalse();
        }
        assertThat(dim.sample(65 * US, 65, 6_500, 65_000)).isTrue();
        assertThat(dim.sample(200 * US, 300, 65_000, 650_000))
                .as("while the level is being set")
                .isFalse();
    }
}
