package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.check.Linearizability.Bounds;
import dev.clockwire.storage.check.Verdict.Kind;
import dev.clockwire.storage.check.VersionOrder.Gaps;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

class LinearizabilityProperties {
    private static final Bounds NO_SEARCH = new Bounds(1, 1);

    /** What zones find is shown by at most two writes, the first end and the last call of each. */
    @Property(tries = 500)
    void whatZonesFindHasNoOrder(@ForAll long seed) {
        List<Operation> ops = new RandomHistories(seed, 30).next(100);
        Verdict v = Linearizability.check(History.of(ops), NO_SEARCH);
        bothAreFrequent(v);
        assertThat(v.isLinearizable()).isEqualTo(Zones.linearizable(ops));
        if (v.isViolation()) {
            assertThat(v.witness()).hasSizeLessThanOrEqualTo(6);
            assertThat(BruteForce.linearizable(v.witness())).as(v.text()).isFalse();
        }
    }

    @Property(tries = 4000)
    void agreesWithAllOrders(@ForAll long seed) {
        List<Operation> ops = new RandomHistories(seed, 3).next(4 + (int) Math.floorMod(seed, 5L));
        Verdict v = Linearizability.check(History.of(ops));
        bothAreFrequent(v);
        assertThat(v.isLinearizable()).as(v.text()).isEqualTo(BruteForce.linearizable(ops));
        assertThat(Zones.linearizable(ops)).isEqualTo(v.isLinearizable());
        Verdict byZones = Linearizability.check(History.of(ops), NO_SEARCH);
        assertThat(byZones.kind()).as(byZones.text()).isEqualTo(v.kind());
    }

    /** Histories that nobody can try all orders of, against a theorem. */
    @Property(tries = 1500)
    void agreesWithZones(@ForAll long seed) {
        List<Operation> ops = new RandomHistories(seed, 2 + (int) Math.floorMod(seed, 9L)).next(60);
        Verdict v = Linearizability.check(History.of(ops));
        bothAreFrequent(v);
        assertThat(v.isLinearizable()).as(v.text()).isEqualTo(Zones.linearizable(ops));
        assertThat(Linearizability.check(History.of(ops), NO_SEARCH).kind()).isEqualTo(v.kind());
        if (v.isViolation()) {
            assertThat(v.witness()).hasSizeLessThanOrEqualTo(12);
            isMinimal(v.witness());
        }
    }

    /** Small enough to see: nothing can be left out. */
    private static void isMinimal(List<Operation> witness) {
        assertThat(Zones.linearizable(witness)).isFalse();
        for (Operation op : witness) {
            if (witness.stream()
                    .noneMatch(o -> !o.isWrite() && op.isWrite() && o.value().equals(op.value()))) {
                List<Operation> rest = new ArrayList<>(witness);
                rest.remove(op);
                assertThat(Zones.linearizable(rest)).isTrue();
            }
        }
    }

    /** An order by versions is an order. */
    @Property(tries = 1000)
    void whatVersionsExplainIsExplained(@ForAll long seed) {
        History h = History.of(new RandomHistories(seed, 5).next(30));
        if (VersionOrder.check(h, Gaps.ALLOWED).isLinearizable()) {
            assertThat(Linearizability.check(h)).isEqualTo(Verdict.linearizable());
        }
    }

    @Property(tries = 3000)
    void cellsAgreeWithAllOrders(@ForAll long seed) {
        List<CellOperation> ops = new RandomCells(seed).next(4 + (int) Math.floorMod(seed, 5L));
        Verdict v = Linearizability.checkCells(ops, Bounds.DEFAULT);
        bothAreFrequent(v);
        assertThat(v.isLinearizable()).as(v.text()).isEqualTo(RandomCells.linearizable(ops));
    }

    private static void bothAreFrequent(Verdict v) {
        Statistics.label("verdict").collect(v.kind()).coverage(c -> {
            c.check(Kind.LINEARIZABLE).percentage(p -> p > 15);
            c.check(Kind.VIOLATION).percentage(p -> p > 15);
        });
    }
}
