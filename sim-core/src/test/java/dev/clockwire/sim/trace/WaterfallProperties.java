package dev.clockwire.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class WaterfallProperties {
    /** A stamp of the one journey. */
    record Interval(int stage, int seq, long in, long length, int cause) {}

    @Provide
    Arbitrary<List<Interval>> intervals() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.longs().between(0, 60),
                        Arbitraries.longs().between(0, 30),
                        Arbitraries.integers().between(0, 2))
                .as(Interval::new)
                .list()
                .ofMaxSize(25);
    }

    private static Waterfall of(List<Interval> intervals, StageRegistry names, long from, long to) {
        JourneyLog log = new JourneyLog(32);
        intervals.forEach(i -> log.stamp(1, i.stage, i.seq, i.in, i.in + i.length, i.cause));
        return Waterfall.of(new JourneyIndex(log), names, 1, from, to);
    }

    private static StageRegistry names() {
        StageRegistry names = new StageRegistry();
        for (String n : List.of("one", "two", "three", "four")) {
            names.id(n);
        }
        return names;
    }

    @Property
    void everyInstantBelongsToExactlyOneStageThatCoversIt(@ForAll("intervals") List<Interval> intervals) {
        StageRegistry names = names();
        Waterfall w = of(intervals, names, 5, 80);
        long at = 5;
        for (Waterfall.Segment s : w.segments()) {
            assertThat(s.startPs()).isEqualTo(at);
            assertThat(s.endPs()).isGreaterThan(at);
            at = s.endPs();
            for (long t = s.startPs(); t < s.endPs(); t++) {
                long instant = t;
                assertThat(s.stage().equals(Waterfall.UNACCOUNTED)
                                || intervals.stream()
                                        .anyMatch(i -> names.name(i.stage).equals(s.stage())
                                                && names.name(i.cause).equals(s.cause())
                                                && i.in <= instant
                                                && instant < i.in + i.length))
                        .isTrue();
            }
        }
        assertThat(at).isEqualTo(80);
        assertThat(w.perStage().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(75);
        assertThat(w.rows().stream().mapToLong(Waterfall.Row::durationPs).sum()).isEqualTo(75);
    }

    @Property
    void unaccountedIsOnlyWhatNothingCovers(@ForAll("intervals") List<Interval> intervals) {
        for (Waterfall.Segment s : of(intervals, names(), 5, 80).segments()) {
            for (long t = s.startPs(); t < s.endPs() && s.stage().equals(Waterfall.UNACCOUNTED); t++) {
                long instant = t;
                assertThat(intervals).noneMatch(i -> i.in <= instant && instant < i.in + i.length);
            }
        }
    }

    @Property
    void theOrderOfRecordingDoesNotShow(@ForAll("intervals") List<Interval> intervals, @ForAll long seed) {
        List<Interval> shuffled = new ArrayList<>(intervals);
        Collections.shuffle(shuffled, new Random(seed));
        assertThat(of(shuffled, names(), 5, 80).segments())
                .isEqualTo(of(intervals, names(), 5, 80).segments());
    }
}
