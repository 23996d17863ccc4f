package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.QueueDriver.Row;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** The two queues, driven directly: ties, near and far times, runs that end anywhere, and many events at once. */
class EventQueueProperties {
    /** Delays from one slot to years: each scale is as likely as the others. */
    private static long delay(QueueDriver d) {
        return 1 + (d.random.nextLong() >>> (22 + d.random.below(42)));
    }

    private static void mix(QueueDriver d, int steps) {
        for (int i = 0; i < steps; i++) {
            switch (d.random.below(d.due.size() < 40 ? 4 : 8)) {
                case 0 -> d.insert(d.now + delay(d), d.random.below(EventPort.MAX_PORTS));
                case 1 -> {
                    long at = d.now + delay(d);
                    for (int k = d.random.below(40); k >= 0; k--) {
                        d.insert(at + d.random.below(2), d.random.below(3));
                    }
                }
                case 2 -> d.insert(d.now + 1 + d.random.below(100), 7);
                default -> d.instant(d.now + delay(d));
            }
            if (i % 100 == 50) {
                d.look();
            }
        }
        d.finish();
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void theWheelIsASortedSet(@ForAll long seed, @ForAll @IntRange(min = 2, max = 16) int bits) {
        mix(new QueueDriver(new TimingWheel(bits, (at, key) -> false), seed), 400);
    }

    @Property(tries = 20, shrinking = ShrinkingMode.OFF)
    void theSortedQueueIsASortedSet(@ForAll long seed) {
        mix(new QueueDriver(new SortedQueue(), seed), 400);
    }

    @Property(tries = 10, shrinking = ShrinkingMode.OFF)
    void aClearedQueueStartsAnewAtAnyTime(@ForAll long seed, @ForAll @IntRange(min = 2, max = 16) int bits) {
        for (EventQueue q : new EventQueue[] {new TimingWheel(bits, (at, key) -> false), new SortedQueue()}) {
            QueueDriver d = new QueueDriver(q, seed);
            for (int i = 0; i < 100; i++) {
                d.insert(d.now + delay(d), 1);
            }
            d.instant(Long.MAX_VALUE - 1);
            q.dead = 3;
            q.clear();
            d.due.clear();
            assertThat(q.dead).isZero();
            assertThat(q.bound).isEqualTo(Long.MAX_VALUE);
            d.look();
            d.now = d.random.below(1000);
            mix(d, 100);
        }
    }

    @Property(tries = 10, shrinking = ShrinkingMode.OFF)
    void aPortTakesItsEventBackAndNoOther(@ForAll long seed) {
        SortedQueue q = new SortedQueue();
        QueueDriver d = new QueueDriver(q, seed);
        for (int i = 0; i < 60; i++) {
            d.insert(100 + d.random.below(3), d.random.below(4));
        }
        TreeSet<Row> kept = new TreeSet<>(d.due);
        kept.removeIf(r -> r.at() == 101 && r.key() >>> EventPort.ORDINAL_SHIFT == 2);
        q.remove(101, 2L << EventPort.ORDINAL_SHIFT);
        d.due.retainAll(kept);
        d.look();
        d.finish();
    }

    @Example
    void nothingTakenIsOurBug() {
        assertThatThrownBy(() -> new SortedQueue().key(0)).hasMessageContaining("nothing was taken");
    }

    @Property(tries = 3, shrinking = ShrinkingMode.OFF)
    void manyEventsKeepTheirOrder(@ForAll long seed, @ForAll @IntRange(min = 2, max = 16) int bits) {
        QueueDriver d = new QueueDriver(new TimingWheel(bits, (at, key) -> false), seed);
        for (int i = 0; i < 3000; i++) {
            d.insert(1 + d.random.below(20_000) * (long) d.random.below(20_000), d.random.below(5));
        }
        d.look();
        d.finish();
    }
}
