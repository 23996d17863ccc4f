package dev.clockwire.storage.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Timers timers = new Timers();
    private final List<String> ran = new ArrayList<>();
    private final Task noted = (a, b) -> ran.add(a + "/" + b);

    @Test
    void timersRunWhenDueAndThoseOfOneTimeInTheOrderTheyCame() {
        timers.add(20, noted, 1, 2);
        timers.add(10, noted, 3, 4);
        timers.add(10, noted, 5, 6);

        assertThat(timers.first()).isEqualTo(10);
        timers.runFirst();
        timers.runFirst();
        timers.runFirst();

        assertThat(ran).containsExactly("3/4", "5/6", "1/2");
        assertThat(timers.first()).isEqualTo(Timers.NEVER);
        Assertions.assertThatThrownBy(timers::runFirst).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void aCancelledTimerIsNotWaitedFor() {
        long first = timers.add(10, noted, 1, 0);
        timers.add(20, noted, 2, 0);

        assertThat(timers.cancel(first)).isTrue();

        assertThat(timers.first()).isEqualTo(20);
        assertThat(timers.cancel(first)).isFalse();
    }

    @Test
    void aNumberOfWhatHasRunCancelsNothingThatCameLater() {
        long over = timers.add(10, noted, 1, 0);
        timers.runFirst();
        timers.add(20, noted, 2, 0);

        assertThat(timers.cancel(over)).isFalse();
        assertThat(timers.cancel(0)).isFalse();

        assertThat(timers.first()).isEqualTo(20);
    }

    @Test
    void aTaskMayAddAndCancelTimersAndIsOverItself() {
        long[] own = new long[2];
        own[0] = timers.add(
                10,
                (a, b) -> {
                    ran.add("cancelled " + timers.cancel(own[0]) + " " + timers.cancel(own[1]));
                    timers.add(15, noted, 7, 7);
                },
                0,
                0);
        own[1] = timers.add(12, noted, 1, 1);

        timers.runFirst();
        timers.runFirst();

        assertThat(ran).containsExactly("cancelled false true", "7/7");
    }

    /** What timers are, naively: a list that is searched. */
    private record Entry(long due, int nth, long timer) {}

    @Property(tries = 200)
    void timersAreAListThatIsSearched(@ForAll long seed) {
        Random random = new Random(seed);
        Timers tested = new Timers();
        List<Entry> model = new ArrayList<>();
        List<Long> over = new ArrayList<>();
        List<Long> seen = new ArrayList<>();
        int most = 1 + random.nextInt(100);
        for (int i = 0; i < 600; i++) {
            int what = random.nextInt(4);
            if (what < 2 && model.size() < most) {
                long due = random.nextInt(50);
                model.add(new Entry(due, i, tested.add(due, (a, b) -> seen.add(a), i, 0)));
            } else if (what == 2 && !model.isEmpty()) {
                Entry e = model.remove(random.nextInt(model.size()));
                assertThat(tested.cancel(e.timer())).isTrue();
                over.add(e.timer());
            } else if (!model.isEmpty()) {
                Entry e = model.stream()
                        .min(Comparator.comparingLong(Entry::due).thenComparingInt(Entry::nth))
                        .orElseThrow();
                model.remove(e);
                tested.runFirst();
                assertThat(seen).last().isEqualTo((long) e.nth());
                over.add(e.timer());
            }
            if (!over.isEmpty()) {
                assertThat(tested.cancel(over.get(random.nextInt(over.size())))).isFalse();
            }
            assertThat(tested.first())
                    .isEqualTo(model.stream().mapToLong(Entry::due).min().orElse(Timers.NEVER));
        }
    }
}
