package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.check.Verdict.Kind;
import dev.clockwire.storage.check.VersionOrder.Gaps;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

class VersionOrderProperties {
    @Property(tries = 4000)
    void agreesWithAllOrders(@ForAll long seed) {
        List<Operation> ops = new RandomHistories(seed, 3).next(3 + (int) Math.floorMod(seed, 5L));
        Verdict v = VersionOrder.check(History.of(ops), Gaps.ALLOWED);
        boolean explained = BruteForce.linearizableByVersion(ops);
        Statistics.label("verdict").collect(v.kind()).coverage(c -> {
            c.check(Kind.LINEARIZABLE).percentage(p -> p > 20);
            c.check(Kind.VIOLATION).percentage(p -> p > 20);
        });
        if (v.kind() != Kind.UNDECIDED) {
            assertThat(v.isLinearizable()).as(v.text()).isEqualTo(explained);
        } else {
            assertThat(ops).anyMatch(op -> op.isWrite() && op.version() == Operation.NO_VERSION);
        }
    }

    @Property(tries = 1000)
    void theWitnessAloneIsAViolation(@ForAll long seed) {
        List<Operation> ops = new RandomHistories(seed, 3).next(8);
        Verdict v = VersionOrder.check(History.of(ops), Gaps.ALLOWED);
        if (v.isViolation()) {
            assertThat(v.witness()).hasSizeBetween(1, 6);
            List<Operation> alone = new ArrayList<>(v.witness());
            assertThat(BruteForce.linearizableByVersion(alone)).as(v.text()).isFalse();
        }
    }

    @Property(tries = 300)
    void aRegisterIsRight(@ForAll long seed) {
        History h = History.of(new RandomHistories(seed, 4).register(60));
        assertThat(VersionOrder.check(h, Gaps.REFUSED)).isEqualTo(Verdict.linearizable());
    }
}
