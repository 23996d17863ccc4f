package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.check.Linearizability.Bounds;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
    private static final long NONE = Operation.NO_VERSION;

    @Test
    void whatOverlapsMayHappenInAnyOrder() {
        good(new Ops()
                .write("a", NONE, 0, 90)
                .write("b", NONE, 0, 90)
                .read("b", NONE, 10, 20)
                .read("a", NONE, 30, 40));
        good(new Ops().write("a", NONE, 0, 90).read("", NONE, 10, 20).read("a", NONE, 30, 40));
        good(new Ops());
    }

    @Test
    void staleRead() {
        bad(new Ops().write("a", NONE, 0, 5).write("b", NONE, 6, 9).read("a", NONE, 10, 11), 0, 1, 2);
        bad(new Ops().write("a", NONE, 0, 5).read("", NONE, 6, 11), 0, 1);
    }

    /** The mode "committed" of a chain: the tail has committed, the head has not. */
    @Test
    void newThenOld() {
        Ops ops = new Ops()
                .write("a", NONE, 0, 5)
                .write("b", NONE, 6, 90)
                .read("b", NONE, 10, 20)
                .read("a", NONE, 30, 40);
        bad(ops, 0, 1, 2, 3);
        good(new Ops()
                .write("a", NONE, 0, 5)
                .write("b", NONE, 6, 90)
                .read("a", NONE, 10, 20)
                .read("b", NONE, 30, 40));
    }

    /** Two writes that overlap are seen in two orders. */
    @Test
    void theTwoOrdersOfTwoWritesAreNotBothSeen() {
        bad(
                new Ops()
                        .write("a", NONE, 0, 5)
                        .write("b", NONE, 0, 5)
                        .read("a", NONE, 6, 30)
                        .read("b", NONE, 6, 30)
                        .read("a", NONE, 40, 50),
                0,
                1,
                3,
                4);
    }

    @Test
    void aLostUpdateIsSeenBySomeoneWhoReads() {
        bad(
                new Ops()
                        .write("a", NONE, 0, 5)
                        .write("b", NONE, 6, 9)
                        .read("b", NONE, 10, 11)
                        .read("a", NONE, 12, 13),
                0,
                1,
                3);
    }

    @Test
    void nobodyReadsWhatNobodyWrote() {
        Ops ops = new Ops().write("a", NONE, 0, 5).read("x", NONE, 6, 11);
        Verdict v = Linearizability.check(ops.history());
        assertThat(v.rule()).isEqualTo(Rule.CONTENT);
        assertThat(v.words()).isEqualTo("a read returned \"x\", which nobody wrote");
        assertThat(v.witness()).containsExactly(ops.list.get(1));
        Ops refused = new Ops().failedWrite("f", 0, 5).read("f", NONE, 6, 11);
        assertThat(Linearizability.check(refused.history()).words())
                .isEqualTo("a read returned the data of a write that was refused");
        good(new Ops().failedWrite("f", 0, 5).read("", NONE, 6, 11));
    }

    @Test
    void nobodyReadsTheFuture() {
        bad(new Ops().read("a", NONE, 0, 5).write("a", NONE, 6, 9), 0, 1);
    }

    @Test
    void whatWasNotAnsweredMayHappenLateOrNever() {
        good(new Ops()
                .unknownWrite("u", 0)
                .write("a", NONE, 5, 9)
                .read("a", NONE, 10, 12)
                .read("u", NONE, 20, 22));
        good(new Ops().unknownWrite("u", 0).write("a", NONE, 5, 9).read("a", NONE, 10, 12));
        bad(
                new Ops()
                        .unknownWrite("u", 0)
                        .write("a", NONE, 5, 9)
                        .read("u", NONE, 10, 12)
                        .read("a", NONE, 15, 19),
                0,
                1,
                2,
                3);
        bad(new Ops().unknownWrite("u", 30).read("u", NONE, 10, 12), 0, 1);
    }

    /** The retry of a write that somebody has seen overwrites a newer one. */
    @Test
    void aRetryMustNotTakeEffectAgain() {
        bad(
                new Ops()
                        .retriedWrite("a", NONE, 0, 90)
                        .read("a", NONE, 6, 9)
                        .write("b", NONE, 10, 14)
                        .read("a", NONE, 20, 24),
                0,
                1,
                2,
                3);
    }

    @Test
    void aReadThatWasNotAnsweredSaysNothing() {
        Ops ops = new Ops().write("a", NONE, 0, 5);
        good(ops.add(Kind.READ, "x", NONE, 6, 9, Outcome.UNKNOWN, 1).add(Kind.READ, "y", NONE, 6, 9, Outcome.FAIL, 1));
    }

    /** Ten writes at once, of which two are read afterwards: the search has to try all subsets. */
    private static Ops muchAtOnce() {
        Ops ops = new Ops();
        for (int i = 0; i < 10; i++) {
            ops.write("v" + i, NONE, 0, 100);
        }
        return ops.read("v0", NONE, 101, 110).read("v1", NONE, 111, 120);
    }

    @Test
    void boundsAreTold() {
        List<CellOperation> ops = new ArrayList<>();
        for (Operation op : muchAtOnce().list) {
            ops.add(new CellOperation(op, 0, List.of(op.value(), op.value())));
        }
        assertThat(Linearizability.checkCells(ops, new Bounds(11, 1000)).text())
                .isEqualTo("undecided, key k: 12 operations; the bound is 11");
        assertThat(Linearizability.checkCells(ops, new Bounds(12, 50)).text())
                .isEqualTo("undecided, key k: no order found in 50 steps; there may be one");
        assertThat(Linearizability.checkCells(ops, new Bounds(12, 100_000)).isViolation())
                .isTrue();
        assertThatThrownBy(() -> new Bounds(0, 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> new Bounds(1, 0))
                .hasMessage("bounds of a search: 1 operations, 0 steps; allowed: 1 or more");
    }

    @Test
    void wholeKeysAreDecidedBehindTheBoundsToo() {
        Ops ops = muchAtOnce();
        Verdict v = Linearizability.check(ops.history(), new Bounds(12, 50));
        assertThat(v.witness()).containsExactly(ops.list.get(0), ops.list.get(10), ops.list.get(1), ops.list.get(11));
        assertThat(v.text()).startsWith("violation, key k (linearizability): no order of these 4 operations");
        ops.list.remove(10);
        assertThat(Linearizability.check(ops.history(), new Bounds(1, 1))).isEqualTo(Verdict.linearizable());
        Ops sameInstant = new Ops()
                .write("a", NONE, 0, 5)
                .read("a", NONE, 10, 12)
                .write("b", NONE, 0, 5)
                .read("b", NONE, 5, 8);
        assertThat(Linearizability.check(sameInstant.history(), new Bounds(1, 1)))
                .isEqualTo(Verdict.linearizable());
        good(sameInstant);
    }

    @Test
    void largeHistoriesAreQuick() {
        List<Operation> ops = new RandomHistories(3, 12).register(10_000);
        long start = Ops.cpuTime();
        assertThat(Linearizability.check(History.of(ops))).isEqualTo(Verdict.linearizable());
        Operation old = ops.stream().filter(Operation::isWrite).findFirst().orElseThrow();
        ops.add(Operation.of(99, Kind.READ, "k", old.value(), 50_000, 50_010, Outcome.OK));
        Verdict v = Linearizability.check(History.of(ops));
        assertThat(v.isViolation()).isTrue();
        assertThat(v.witness()).hasSizeLessThan(5);
        assertThat(Ops.cpuTime() - start).isLessThan(5_000_000_000L);
    }

    @Test
    void aReadOfHalfAWriteIsTorn() {
        List<CellOperation> ops = new ArrayList<>();
        ops.add(CellOperation.write(op(0, Kind.WRITE, "a", 0, 5), 4, 2));
        ops.add(CellOperation.write(op(1, Kind.WRITE, "b", 6, 90), 4, 2));
        ops.add(new CellOperation(op(2, Kind.READ, "torn", 10, 20), 4, List.of("b", "a")));
        Verdict v = Linearizability.checkCells(ops, Bounds.DEFAULT);
        assertThat(v.text()).isEqualTo("""
                        violation, key k (linearizability): no order of these 3 operations explains what was read
                          write "a" by client 0 [0 ps to 5 ps, ok]
                          write "b" by client 1 [6 ps to 90 ps, ok]
                          read "b a" by client 2 [10 ps to 20 ps, ok]""");
        assertThat(v.witness()).extracting(Operation::key).containsOnly("k cells 4 to 5");
        ops.set(2, new CellOperation(op(2, Kind.READ, "torn", 10, 20), 4, List.of("b")));
        ops.add(new CellOperation(op(3, Kind.READ, "torn", 10, 20), 5, List.of("a")));
        assertThat(Linearizability.checkCells(ops, Bounds.DEFAULT).isLinearizable())
                .isTrue();
    }

    @Test
    void aCellHoldsOnlyWhatWasWrittenThere() {
        List<CellOperation> ops = List.of(
                CellOperation.write(op(0, Kind.WRITE, "a", 0, 5), 1, 2),
                new CellOperation(op(1, Kind.READ, "r", 6, 7), 0, List.of("", "a", "a", "a")));
        assertThat(Linearizability.checkCells(ops, Bounds.DEFAULT).words())
                .isEqualTo("a read of cell 3 returned \"a\", which nobody wrote there");
    }

    /** Cells that nothing couples are searched apart: together their orders would be too many. */
    @Test
    void cellsThatNothingCouplesAreSearchedApart() {
        List<CellOperation> ops = new ArrayList<>();
        for (int cell = 0; cell < 200; cell++) {
            for (int i = 0; i < 3; i++) {
                ops.add(CellOperation.write(op(i, Kind.WRITE, cell + "." + i, 0, 100), 2 * cell, 2));
            }
            ops.add(new CellOperation(op(4, Kind.READ, "r", 101, 102), 2 * cell + 1, List.of(cell + ".1")));
        }
        assertThat(Linearizability.checkCells(ops, new Bounds(4, 30)).isLinearizable())
                .isTrue();
        ops.add(new CellOperation(op(5, Kind.READ, "r", 103, 104), 7, List.of("3.2")));
        Verdict v = Linearizability.checkCells(ops, new Bounds(5, 60));
        assertThat(v.witness())
                .hasSize(4)
                .allMatch(o -> o.key().startsWith("k cells 6 to 7") || o.key().equals("k cells 7 to 7"));
    }

    @Test
    void cellsSayWhatIsWrongWithThem() {
        Operation write = op(0, Kind.WRITE, "a", 0, 5);
        assertThatThrownBy(() -> CellOperation.write(write, -1, 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> CellOperation.write(write, 0, 0)).hasMessageContaining("cells 0 to -1; allowed");
        assertThatThrownBy(() -> CellOperation.write(write, 16_384, 1)).hasMessageContaining("16384");
        assertThatThrownBy(() -> new CellOperation(write, 0, List.of("a", "b")))
                .hasMessage("operation: a write of \"a\" has cells [a, b]; allowed: only the same");
        CellOperation twice = CellOperation.write(write, 0, 1);
        assertThatThrownBy(() ->
                        Linearizability.checkCells(List.of(twice, CellOperation.write(write, 3, 1)), Bounds.DEFAULT))
                .hasMessageContaining("written twice");
    }

    private static Operation op(int client, Kind kind, String value, long invoke, long end) {
        return Operation.of(client, kind, "k", value, invoke, end, Outcome.OK);
    }

    private static void good(Ops ops) {
        assertThat(Linearizability.check(ops.history())).isEqualTo(Verdict.linearizable());
        assertThat(BruteForce.linearizable(ops.list)).isTrue();
    }

    /** No order, and the witness is these operations. */
    private static void bad(Ops ops, int... witness) {
        Verdict v = Linearizability.check(ops.history());
        assertThat(v.rule()).isEqualTo(Rule.NO_ORDER);
        List<Operation> expected = new ArrayList<>();
        for (int i : witness) {
            expected.add(ops.list.get(i));
        }
        assertThat(v.witness()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(BruteForce.linearizable(ops.list)).isFalse();
    }
}
