package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.check.Linearizability.Bounds;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import dev.clockwire.storage.check.VersionOrder.Gaps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryCheckTest {
    private final List<Operation> ops = new ArrayList<>();

    private HistoryCheckTest add(Kind kind, String key, String value, long invoke, long version) {
        ops.add(new Operation(0, kind, key, value, invoke, invoke + 5, Outcome.OK, version, 1));
        return this;
    }

    private Verdict check(Bounds bounds) {
        return HistoryCheck.check(History.of(ops), Gaps.REFUSED, bounds);
    }

    @Test
    void versionsDecideWhereTheyCanAndTheSearchWhereTheyCannot() {
        add(Kind.WRITE, "versions", "a", 0, 1).add(Kind.READ, "versions", "a", 10, 1);
        add(Kind.WRITE, "none", "a", 0, -1).add(Kind.READ, "none", "a", 10, -1);
        assertThat(check(Bounds.DEFAULT)).isEqualTo(Verdict.linearizable());
        assertThat(check(new Bounds(1, 1))).isEqualTo(Verdict.linearizable());
        add(Kind.READ, "none", "", 20, -1);
        assertThat(check(Bounds.DEFAULT).rule()).isEqualTo(Rule.NO_ORDER);
    }

    @Test
    void theFirstViolationIsTold() {
        add(Kind.WRITE, "b", "a", 0, -1).add(Kind.READ, "b", "a", 10, -1);
        add(Kind.WRITE, "c", "a", 0, 2);
        assertThat(check(new Bounds(1, 10)).rule()).isEqualTo(Rule.GAP);
        add(Kind.READ, "a", "x", 0, 2);
        assertThat(check(new Bounds(1, 10)).key()).isEqualTo("a");
        assertThat(check(new Bounds(1, 10)).witness()).containsExactly(ops.get(3));
    }
}
