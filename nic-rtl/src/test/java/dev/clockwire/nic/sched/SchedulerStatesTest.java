package dev.clockwire.nic.sched;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** States of the scheduler that have grown, through snapshots in both directions. */
class SchedulerStatesTest {
    private static void move(SchedulerState from, SchedulerState to) {
        Snapshot saved = new Snapshot();
        from.save(saved);
        saved.putLong(4711);
        saved.rewind();
        to.load(saved);
        assertThat(saved.getLong()).as("what stands behind it").isEqualTo(4711);
    }

    private static SchedulerState filled(int slots) {
        SchedulerState s = new SchedulerState(new RoundRobin());
        s.ensure(slots - 1);
        for (int q = 0; q < slots; q++) {
            s.producer[q] = 10 * q + 1;
            s.fetched[q] = 10 * q + 2;
            s.ahead[q] = 10 * q + 3;
            s.posted[q] = 10 * q + 4;
            s.enabled[q] = 10 * q + 5;
            s.newest[q] = 10 * q + 6;
            s.readyAt[q] = 10L * q + 7;
            s.issuedThen[q] = 10L * q + 8;
            s.newestAt[q] = 10L * q + 9;
            s.busy[q] = q % 2 == 1;
            s.record[q] = q % 3 == 1;
            s.whole[q] = q % 5 == 1;
            s.open[q] = q % 7 == 1;
        }
        s.issued = 99;
        s.ready.add(3);
        s.ready.add(1);
        return s;
    }

    private static void assertFilled(SchedulerState s, int slots) {
        for (int q = 0; q < slots; q++) {
            assertThat(new long[] {
                        s.producer[q],
                        s.fetched[q],
                        s.ahead[q],
                        s.posted[q],
                        s.enabled[q],
                        s.newest[q],
                        s.readyAt[q],
                        s.issuedThen[q],
                        s.newestAt[q]
                    })
                    .as("slot " + q)
                    .containsExactly(
                            10 * q + 1,
                            10 * q + 2,
                            10 * q + 3,
                            10 * q + 4,
                            10 * q + 5,
                            10 * q + 6,
                            10 * q + 7,
                            10 * q + 8,
                            10 * q + 9);
            assertThat(new boolean[] {s.busy[q], s.record[q], s.whole[q], s.open[q]})
                    .containsExactly(q % 2 == 1, q % 3 == 1, q % 5 == 1, q % 7 == 1);
        }
        assertThat(s.issued).isEqualTo(99);
        assertThat(s.ready.size()).isEqualTo(2);
        assertThat(s.ready.next()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17, 40})
    void aSnapshotGoesIntoAFreshState(int slots) {
        SchedulerState to = new SchedulerState(new RoundRobin());
        move(filled(slots), to);
        assertFilled(to, slots);
    }

    /** A run that is taken back to a time when there were fewer queues: theirs is all that counts. */
    @Test
    void aSnapshotGoesIntoAStateThatHasGrownSince() {
        SchedulerState to = filled(40);
        to.ready.add(39);
        move(filled(16), to);
        assertFilled(to, 16);
        to.ensure(39);
        assertThat(to.producer[39]).isZero();
        assertThat(to.readyAt[39]).isZero();
        assertThat(to.busy[39]).isFalse();
    }

    @Test
    void growingKeepsWhatThereWas() {
        SchedulerState s = filled(16);
        s.ensure(16);
        s.ensure(100);
        assertThat(s.open[8]).isTrue();
        assertThat(s.producer[16]).isZero();
        assertFilled(s, 16);
        assertThat(s.producer).hasSizeGreaterThan(100);
    }

    private static WeightedRoundRobin weights() {
        return new WeightedRoundRobin(q -> 1 + q % 3);
    }

    private static int grant(QpArbiter a) {
        a.begin();
        int q = a.next();
        a.granted(q);
        return q;
    }

    private static List<Integer> go(QpArbiter a, int grants) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < grants; i++) {
            int q = grant(a);
            order.add(q);
            a.add(q);
        }
        return order;
    }

    /** The same, for an arbiter in the middle of a round: of grants that a queue used up later nothing is left. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 12})
    void aWeightedArbiterGoesBackToATimeOfFewerQueues(int grantsSince) {
        WeightedRoundRobin a = weights();
        a.add(1);
        a.add(2);
        go(a, 3);
        Snapshot saved = new Snapshot();
        a.save(saved);
        a.add(20);
        go(a, grantsSince);
        saved.rewind();
        a.load(saved);
        a.add(20);
        saved.rewind();
        WeightedRoundRobin fresh = weights();
        fresh.load(saved);
        fresh.add(20);
        assertThat(go(a, 12)).isEqualTo(go(fresh, 12));
    }

    @Test
    void policiesCountWhoWasOvertaken() {
        StrictPriority a = new StrictPriority(q -> q % 8);
        a.add(1);
        a.add(7);
        assertThat(go(a, 5)).containsOnly(7);
        assertThat(a.overtaken()).as("queue 1 saw five grants").isEqualTo(5);
        a.begin();
        int first = a.next();
        a.pass(first);
        int second = a.next();
        a.granted(second);
        assertThat(new int[] {first, second}).containsExactly(7, 1);
        assertThat(a.overtaken()).isEqualTo(5);
        assertThat(a.size()).isEqualTo(1);
        assertThat(new RoundRobin().overtaken()).isZero();
    }

    /** A queue that could not go has not been overtaken meanwhile. */
    @Test
    void whoIsPassedOverStartsAnew() {
        StrictPriority a = new StrictPriority(q -> q % 8);
        a.add(7);
        a.add(3);
        for (int i = 0; i < 4; i++) {
            a.begin();
            a.pass(a.next());
            int q = a.next();
            a.granted(q);
            a.add(q);
        }
        assertThat(a.overtaken()).isZero();
    }

    @Test
    void aStrictArbiterKeepsItsOrderAndCountsInASnapshot() {
        StrictPriority a = new StrictPriority(q -> q % 8);
        for (int q : new int[] {3, 11, 19, 6, 0}) {
            assertThat(a.add(q)).isTrue();
            assertThat(a.add(q)).isFalse();
        }
        assertThat(grant(a)).isEqualTo(6);
        Snapshot saved = new Snapshot();
        a.save(saved);
        saved.rewind();
        StrictPriority b = new StrictPriority(q -> q % 8);
        b.add(30);
        b.load(saved);
        assertThat(b.size()).isEqualTo(4);
        assertThat(new int[] {grant(b), grant(b), grant(b), grant(b)}).containsExactly(3, 11, 19, 0);
        assertThat(b.overtaken()).isEqualTo(4);
    }

    @Test
    void weightsGiveShares() {
        WeightedRoundRobin a = weights(); // weights 1, 2, 3 of queues 0, 1, 2
        for (int q = 0; q < 3; q++) {
            a.add(q);
        }
        assertThat(go(a, 12)).containsExactly(0, 1, 2, 1, 2, 2, 0, 1, 2, 1, 2, 2);
    }

    /** Where all with grants left are passed over, the next round begins at once. */
    @Test
    void nobodyIdlesForAQueueThatCannotGo() {
        WeightedRoundRobin a = weights();
        a.add(0);
        a.add(2);
        assertThat(grant(a)).isZero();
        a.add(0); // no grant left in this round
        a.begin();
        assertThat(a.next()).isEqualTo(2);
        a.pass(2);
        assertThat(a.next()).isZero();
        a.granted(0);
        a.add(0);
        assertThat(go(a, 4))
                .as("2 has its three grants of the new round, 0 none")
                .containsExactly(2, 2, 2, 0);
    }
}
