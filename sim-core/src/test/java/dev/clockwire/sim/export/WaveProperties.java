package dev.clockwire.sim.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.trace.Signals;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Waves against the list of changes they were made from. */
class WaveProperties {
    private static final int SIGNALS = 4;

    /** A change; {@code ps} ascends along a list. */
    record Change(int signal, long ps, long value) {}

    @Provide
    Arbitrary<List<Change>> changes() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, SIGNALS - 1),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.longs().between(0, 3))
                .as((s, step, v) -> new Change(s, step * 10L, v))
                .list()
                .ofMaxSize(60)
                .map(steps -> {
                    List<Change> all = new ArrayList<>();
                    long now = 0;
                    for (Change c : steps) {
                        now += c.ps;
                        all.add(new Change(c.signal, now, c.value));
                    }
                    return all;
                });
    }

    private static Signals signals() {
        Signals s = new Signals();
        for (int i = 0; i < SIGNALS; i++) {
            s.vector("top.s" + i, 2);
        }
        return s;
    }

    private static String write(List<Change> changes, long from, long to) {
        StringBuilder out = new StringBuilder();
        VcdWriter w = new VcdWriter(signals(), out, from, to);
        changes.forEach(c -> w.change(c.signal, c.ps, c.value));
        w.finish(5000);
        return out.toString();
    }

    /** The value of a signal after an instant: the last change at or before it. */
    private static String valueAt(List<Change> changes, int signal, long ps) {
        String v = "x";
        for (Change c : changes) {
            if (c.signal == signal && c.ps <= ps) {
                v = Long.toBinaryString(c.value);
            }
        }
        return v;
    }

    private static String valueAt(VcdReader vcd, int signal, long ps) {
        String v = "none";
        for (String entry : vcd.changes("top.s" + signal)) {
            String[] e = entry.split("=", -1);
            if (Long.parseLong(e[0]) <= ps) {
                v = e[1];
            }
        }
        return v;
    }

    @Property
    void theFileShowsTheValueOfEveryInstantOfItsWindow(
            @ForAll("changes") List<Change> changes,
            @ForAll @IntRange(max = 600) int from,
            @ForAll @IntRange(min = 1, max = 600) int length) {
        String text = write(changes, from, from + length);
        VcdReader vcd = VcdReader.parse(text);
        for (int s = 0; s < SIGNALS; s++) {
            for (long t = from; t < from + length; t += 5) {
                assertThat(valueAt(vcd, s, t)).isEqualTo(valueAt(changes, s, t));
            }
        }
    }

    @Property
    void theOrderOfSignalsWithinAnInstantDoesNotShow(@ForAll("changes") List<Change> changes) {
        List<Change> other = new ArrayList<>();
        for (long t = 0; t <= 2000; t += 10) {
            for (int s : new int[] {3, 1, 0, 2}) { // keeps the order of one signal's changes
                for (Change c : changes) {
                    if (c.ps == t && c.signal == s) {
                        other.add(c);
                    }
                }
            }
        }
        assertThat(write(other, 0, Long.MAX_VALUE)).isEqualTo(write(changes, 0, Long.MAX_VALUE));
    }

    @Property
    void aRingShowsTheLastWindow(
            @ForAll("changes") List<Change> changes, @ForAll @IntRange(min = 1, max = 300) int window) {
        Signals signals = signals();
        WaveRing ring = new WaveRing(signals, window, 64);
        changes.forEach(c -> ring.change(c.signal, c.ps, c.value));
        StringBuilder out = new StringBuilder();
        VcdWriter w = new VcdWriter(signals, out);
        ring.replay(w);
        long end = changes.isEmpty() ? 0 : changes.get(changes.size() - 1).ps;
        w.finish(end);
        VcdReader vcd = VcdReader.parse(out.toString());
        long from = changes.stream()
                .mapToLong(Change::ps)
                .filter(t -> t >= end - window)
                .findFirst()
                .orElse(0);
        for (int s = 0; s < SIGNALS; s++) {
            for (long t = from; t <= end; t += 5) {
                assertThat(valueAt(vcd, s, t)).isEqualTo(valueAt(changes, s, t));
            }
        }
    }

    @Property
    void aSmallRingShortensTheWindow(@ForAll("changes") List<Change> changes) {
        WaveRing ring = new WaveRing(signals(), 1_000_000, 8);
        changes.forEach(c -> ring.change(c.signal, c.ps, c.value));
        assertThat(ring.size()).isEqualTo(Math.min(8, changes.size()));
    }

    @Property
    void aWindowIsTheCutOfTheWholeFile(
            @ForAll("changes") List<Change> changes,
            @ForAll @IntRange(max = 600) int from,
            @ForAll @IntRange(min = 1, max = 600) int length) {
        VcdReader whole = VcdReader.parse(write(changes, 0, Long.MAX_VALUE));
        VcdReader cut = VcdReader.parse(write(changes, from, from + length));
        for (int s = 0; s < SIGNALS; s++) {
            List<String> expected = new ArrayList<>(List.of(from + "=" + valueAt(whole, s, from)));
            for (String entry : whole.changes("top.s" + s)) {
                long ps = Long.parseLong(entry.split("=", -1)[0]);
                if (ps > from && ps < from + length) {
                    expected.add(entry);
                }
            }
            assertThat(cut.changes("top.s" + s)).isEqualTo(expected);
        }
    }

    /** What is written after the run is what would have been written during it, had one known when it ends. */
    @Property
    void aRingWritesWhatTheWindowBeforeTheLastChangeWouldHave(
            @ForAll("changes") List<Change> changes, @ForAll @IntRange(min = 1, max = 300) int window) {
        WaveRing ring = new WaveRing(signals(), window, 64);
        changes.forEach(c -> ring.change(c.signal, c.ps, c.value));
        StringBuilder out = new StringBuilder();
        VcdWriter w = new VcdWriter(signals(), out, ring.sincePs(), Long.MAX_VALUE);
        ring.replay(w);
        w.finish(5000);
        long last = changes.isEmpty() ? 0 : changes.get(changes.size() - 1).ps;
        assertThat(ring.isShort()).isFalse();
        assertThat(out.toString()).isEqualTo(write(changes, Math.max(0, last - window), Long.MAX_VALUE));
    }

    @Property
    void aShortenedRingIsRightFromWhereItSaysOn(@ForAll("changes") List<Change> changes) {
        WaveRing ring = new WaveRing(signals(), Long.MAX_VALUE, 4);
        changes.forEach(c -> ring.change(c.signal, c.ps, c.value));
        StringBuilder out = new StringBuilder();
        VcdWriter w = new VcdWriter(signals(), out, ring.sincePs(), Long.MAX_VALUE);
        ring.replay(w);
        w.finish(5000);
        assertThat(ring.isShort()).isEqualTo(changes.size() > 4);
        assertThat(out.toString()).isEqualTo(write(changes, ring.sincePs(), Long.MAX_VALUE));
    }
}
