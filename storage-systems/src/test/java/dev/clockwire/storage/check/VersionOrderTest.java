package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import dev.clockwire.storage.check.VersionOrder.Gaps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One history for each rule, that no other rule minds; and good ones that look bad. */
class VersionOrderTest {
    private static final long NONE = Operation.NO_VERSION;

    @Test
    void contentIsThatOfTheVersion() {
        expect(
                Rule.CONTENT,
                "a read returned \"x\", which nobody wrote",
                new Ops().write("a", 1, 0, 5).read("x", 1, 6, 9));
        expect(
                Rule.CONTENT,
                "version 1 is \"a\" and \"b\"",
                new Ops().write("a", 1, 0, 5).write("b", 2, 0, 5).read("b", 1, 6, 9));
        expect(
                Rule.CONTENT,
                "a read of version 1 returned nothing",
                new Ops().write("a", 1, 0, 5).read("", 1, 0, 9));
        expect(
                Rule.CONTENT,
                "a read returned the data of a write that was refused",
                new Ops().failedWrite("a", 0, 5).read("a", 1, 6, 9));
        expect(Rule.CONTENT, "version 0 is that of what nobody has written", new Ops().write("a", 0, 0, 5));
    }

    @Test
    void aVersionIsOfOneWrite() {
        expect(
                Rule.OWNER,
                "two writes have version 1",
                new Ops().write("a", 1, 0, 5).write("b", 1, 0, 5));
    }

    @Test
    void aLostUpdateIsTwoWritesOfOneVersionOrAGap() {
        Ops lost = new Ops().write("a", 1, 0, 5).write("b", 3, 6, 9).read("b", 3, 10, 11);
        assertThat(VersionOrder.check(lost.history(), Gaps.ALLOWED).isLinearizable())
                .isTrue();
        Verdict v = VersionOrder.check(lost.history(), Gaps.REFUSED);
        assertThat(v.rule()).isEqualTo(Rule.GAP);
        assertThat(v.words()).isEqualTo("1 of the versions below 3 are missing, 0 writes are left that may own them");
        assertThat(v.witness()).containsExactly(lost.list.get(0), lost.list.get(1));
    }

    @Test
    void gapsAreForWritesThatWereNotAnswered() {
        Ops ops = new Ops().write("a", 1, 0, 5).unknownWrite("u", 2).write("b", 3, 6, 9);
        assertThat(VersionOrder.check(ops.history(), Gaps.REFUSED).isLinearizable())
                .isTrue();
        assertThat(VersionOrder.check(ops.write("c", 5, 10, 11).history(), Gaps.REFUSED)
                        .rule())
                .isEqualTo(Rule.GAP);
        Ops retried = new Ops().retriedWrite("a", 2, 0, 5);
        assertThat(VersionOrder.check(retried.history(), Gaps.REFUSED).isLinearizable())
                .isTrue();
        Ops refused = new Ops().failedWrite("f", 0, 1).write("a", 2, 0, 5);
        assertThat(VersionOrder.check(refused.history(), Gaps.REFUSED).rule()).isEqualTo(Rule.GAP);
    }

    @Test
    void writesAreInTheOrderOfTheirVersions() {
        expect(
                Rule.WRITE_ORDER,
                "a write came before one that had ended (version 2, then 1)",
                new Ops().write("a", 2, 0, 5).write("b", 1, 6, 9));
        good(new Ops().write("a", 2, 0, 5).write("b", 1, 5, 9));
    }

    @Test
    void nobodyReadsTheFuture() {
        expect(
                Rule.FUTURE_READ,
                "a read returned what was not yet written",
                new Ops().read("a", 1, 0, 5).write("a", 1, 6, 9));
        good(new Ops().read("a", 1, 0, 6).write("a", 1, 6, 9));
    }

    @Test
    void aStaleReadMissesAWriteThatHadEnded() {
        expect(
                Rule.STALE_READ,
                "a read did not see a write that had ended (version 2, then 1)",
                new Ops().write("a", 1, 0, 5).write("b", 2, 6, 9).read("a", 1, 10, 11));
        expect(
                Rule.STALE_READ,
                "a read did not see a write that had ended (version 1, then 0)",
                new Ops().write("a", 1, 0, 5).read("", NONE, 6, 11));
        good(new Ops().write("a", 1, 0, 5).write("b", 2, 6, 9).read("a", 1, 9, 11));
    }

    /** The mode "committed" of a chain: the tail has committed, the head has not. */
    @Test
    void newThenOldIsAnInversion() {
        Ops ops = new Ops()
                .write("a", 1, 0, 5)
                .write("b", 2, 6, 90)
                .read("b", 2, 10, 20)
                .read("a", 1, 30, 40);
        expect(Rule.INVERSION, "a read returned older data than one before it (version 2, then 1)", ops);
        good(new Ops()
                .write("a", 1, 0, 5)
                .write("b", 2, 6, 90)
                .read("b", 2, 10, 20)
                .read("a", 1, 20, 40));
    }

    @Test
    void aWriteIsNotBelowWhatWasRead() {
        expect(
                Rule.OLD_WRITE,
                "a write came before one that had been read (version 2, then 1)",
                new Ops().unknownWrite("u", 0).read("u", 2, 1, 5).write("a", 1, 6, 9));
    }

    @Test
    void aWriteHasOneEffect() {
        expect(
                Rule.SECOND_EFFECT,
                "a write sent once has 2 versions",
                new Ops().write("a", 1, 0, 50).read("a", 1, 6, 9).read("a", 2, 12, 14));
        good(new Ops().retriedWrite("a", 2, 0, 50).read("a", 1, 6, 9).read("a", 2, 12, 14));
    }

    /** The retry of an old write overwrites a newer one that somebody has seen. */
    @Test
    void aRetryMustNotTakeEffectAgain() {
        expect(
                Rule.SECOND_EFFECT,
                "a write that was sent again took effect again, as version 3, after version 2 of another",
                new Ops().retriedWrite("a", 3, 0, 50).read("a", 1, 6, 9).write("b", 2, 10, 14));
        good(new Ops()
                .retriedWrite("a", 3, 0, 50)
                .write("b", 2, 10, 14)
                .read("b", 2, 15, 16)
                .read("a", 3, 17, 18));
    }

    @Test
    void whatWasNotAnsweredMayHappenLateOrNever() {
        good(new Ops()
                .unknownWrite("u", 0)
                .write("a", 1, 5, 9)
                .read("a", 1, 10, 12)
                .read("u", 2, 20, 22));
        good(new Ops().unknownWrite("u", 0).write("a", 1, 5, 9).read("a", 1, 10, 12));
        expect(
                Rule.INVERSION,
                "a read returned older data than one before it (version 2, then 1)",
                new Ops()
                        .unknownWrite("u", 0)
                        .unknownWrite("a", 0)
                        .read("a", 2, 5, 9)
                        .read("u", 1, 10, 12));
    }

    @Test
    void whatNamesNoVersionIsUndecidedUnlessItIsRead() {
        Verdict v = VersionOrder.check(new Ops().write("a", NONE, 0, 5).history(), Gaps.ALLOWED);
        assertThat(v.kind()).isEqualTo(Verdict.Kind.UNDECIDED);
        assertThat(v.text())
                .isEqualTo("undecided, key k: nobody names the version of write \"a\" by client 0 [0 ps to 5 ps, ok]");
        good(new Ops().write("a", NONE, 0, 5).read("a", 1, 6, 7).read("a", NONE, 8, 9));
        expect(
                Rule.STALE_READ,
                "a read did not see a write that had ended (version 2, then 1)",
                new Ops()
                        .write("a", NONE, 0, 5)
                        .read("a", 1, 6, 7)
                        .write("b", 2, 8, 9)
                        .write("c", NONE, 0, 5)
                        .read("a", NONE, 10, 12));
    }

    @Test
    void aVerdictNamesTheKeyAndTheOperations() {
        Operation a = new Operation(0, Kind.WRITE, "chunk 7", "a", 0, 5, Outcome.OK, 1, 1);
        Operation b = new Operation(1, Kind.READ, "chunk 7", "", 6, 9, Outcome.OK, 0, 1);
        Operation good = new Operation(1, Kind.READ, "chunk 1", "", 6, 9, Outcome.OK, 0, 1);
        Operation vague = new Operation(1, Kind.WRITE, "chunk 3", "x", 6, 9, Outcome.OK, NONE, 1);
        Verdict v = VersionOrder.check(History.of(List.of(good, b, a, vague)), Gaps.ALLOWED);
        assertThat(v.text()).isEqualTo("""
                        violation, key chunk 7 (no stale read): a read did not see a write that had ended (version 1, then 0)
                          write "a" by client 0 [0 ps to 5 ps, ok, version 1]
                          read of nothing by client 1 [6 ps to 9 ps, ok, version 0]""");
    }

    /** A history of 10,000 operations that overlap takes well under a second. */
    @Test
    void tenThousandOperationsOfAKeyAreQuick() {
        List<Operation> ops = new RandomHistories(3, 40).register(10_000);
        List<Operation> bad = new ArrayList<>(ops);
        bad.add(new Operation(0, Kind.READ, "k", "", 100_000, 100_010, Outcome.OK, 0, 1));
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) { // what the compiler and the collector take is in it, too
            long start = Ops.cpuTime();
            assertThat(VersionOrder.check(History.of(ops), Gaps.REFUSED).isLinearizable())
                    .isTrue();
            assertThat(VersionOrder.check(History.of(bad), Gaps.REFUSED).rule()).isEqualTo(Rule.STALE_READ);
            least = Math.min(least, Ops.cpuTime() - start);
        }
        assertThat(least).isLessThan(1_000_000_000);
    }

    private static void good(Ops ops) {
        assertThat(VersionOrder.check(ops.history(), Gaps.ALLOWED)).isEqualTo(Verdict.linearizable());
        assertThat(BruteForce.linearizableByVersion(ops.list)).isTrue();
    }

    private static void expect(Rule rule, String words, Ops ops) {
        Verdict v = VersionOrder.check(ops.history(), Gaps.ALLOWED);
        assertThat(v.words()).isEqualTo(words);
        assertThat(v.rule()).isEqualTo(rule);
        if (ops.list.stream().noneMatch(op -> op.version() == NONE && op.outcome() == Outcome.OK)) {
            assertThat(BruteForce.linearizableByVersion(ops.list)).isFalse();
        }
    }
}
