package dev.clockwire.storage.check.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.storage.check.monitor.ChainModel.Mutant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each invariant broken by the fewest events; and a chain that keeps them all, or breaks the one that its fault breaks. */
class MonitorsTest {
    private final Monitors m = new Monitors();

    @BeforeEach
    void aChainOfTwo() {
        m.table(0, 0, 1, List.of(0, 1), List.of(TargetState.SERVING, TargetState.SERVING));
        m.adopted(1, 0, 0, 1);
        m.adopted(1, 1, 0, 1);
    }

    private void write(long version, long digest) {
        m.headed(10, 0, 0, 1);
        m.updated(10, 0, 0, 5, version);
        m.updated(11, 1, 0, 5, version);
        m.committed(12, 1, 0, 5, 1, version, digest);
        m.committed(13, 0, 0, 5, 1, version, digest);
        m.acked(14, 3, 0, 5, 1, version);
    }

    @Test
    void whatIsRightIsNotReported() {
        write(1, 77);
        write(2, 78);
        m.quiescent(20);
        assertThat(m.findings().list()).isEmpty();
        assertThat(m.replicas().ackedVersion(m.replicas().chunk(0, 5))).isEqualTo(2);
    }

    @Test
    void anUpdateIsOneAheadAtMost() {
        write(1, 77);
        m.updated(20, 0, 0, 5, 3);
        found("VER-1 at 20 ps, node 0, chunk 5 of chain 0: update version 3 over commit version 1"
                + " (commit version <= update version <= commit version + 1)");
    }

    @Test
    void aReplicaIsReadWithWhatItHas() {
        write(1, 77);
        m.served(20, 0, 0, 5, 1, 77, 19);
        m.updated(21, 0, 0, 5, 2);
        m.served(22, 0, 0, 5, 2, 78, 21); // pending, under a rule that shows it
        m.served(23, 0, 0, 5, 1, 77, 22); // it began when nobody had seen that yet
        m.served(24, 1, 0, 5, 1, 77, 23); // the other one does not have it
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void aVersionIsReadBeforeItIsNoted() {
        write(1, 77);
        m.served(20, 0, 0, 5, 2, 78, 19); // its bytes are there
        m.served(30, 0, 0, 5, 1, 77, 29); // the disk has not noted that they are
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void aReplicaDoesNotGoBack() {
        write(1, 77);
        m.updated(21, 0, 0, 5, 2);
        m.served(22, 0, 0, 5, 2, 78, 21);
        m.served(24, 0, 0, 5, 1, 77, 23);
        found(Invariant.LIN_4, "version 1 is read behind version 2");
    }

    @Test
    void nobodyReadsWhatIsReplaced() {
        write(1, 77);
        write(2, 78);
        m.served(22, 0, 0, 5, 1, 77, 9);
        found(Invariant.LIN_4, "version 1 is read, 2 is committed");
    }

    @Test
    void nobodyReadsWhatNobodyHasWritten() {
        write(1, 77);
        m.served(22, 1, 0, 5, 3, 78, 21);
        found(Invariant.LIN_4, "version 3 is read, nobody has more than 1");
    }

    @Test
    void aVersionIsReadAsItIs() {
        write(1, 77);
        m.served(22, 1, 0, 5, 1, 78, 21);
        found(Invariant.LIN_4, "version 1 is read as 0x4e, it is 0x4d");
    }

    @Test
    void buffersComeBack() {
        m.pooled(20, 2, "buffers", 8, 8);
        assertThat(m.findings().list()).isEmpty();
        m.pooled(20, 2, "buffers", 7, 8);
        found("RD-7 at 20 ps, node 2: buffers: 7 of 8 are free (at rest all buffers are back in their pools)");
    }

    @Test
    void anUpdateIsNotBehind() {
        write(1, 77);
        write(2, 78);
        m.updated(20, 1, 0, 5, 1);
        found(Invariant.VER_1, "update version 1 over commit version 2");
    }

    @Test
    void nothingIsCommittedThatWasNotPending() {
        m.committed(20, 1, 0, 5, 1, 1, 77);
        found(Invariant.VER_1, "commit version 1 below update version 0");
    }

    @Test
    void aCommitVersionGrows() {
        write(1, 77);
        m.committed(20, 1, 0, 5, 1, 1, 77);
        found("VER-2 at 20 ps, node 1, chunk 5 of chain 0: commit version 1 after 1"
                + " (the commit version of a copy grows, but for a replacement or removal)");
    }

    @Test
    void aCommitIsAtMostOneBehind() {
        m.crashed(9, 1);
        m.replaced(10, 1, 0, 5, 1, 5, 77);
        m.committed(20, 1, 0, 5, 1, 3, 77);
        assertThat(m.findings().list())
                .extracting(Finding::words)
                .containsExactly("commit version 3 below update version 5", "commit version 3 after 5");
    }

    @Test
    void keysOfTwoChainsAreTwoChunks() {
        write(1, 77);
        m.table(15, 1, 1, List.of(1), List.of(TargetState.SERVING));
        m.adopted(16, 1, 1, 1);
        m.updated(17, 1, 1, 5, 1);
        m.committed(18, 1, 1, 5, 1, 1, 99);
        m.quiescent(20);
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void aPredecessorHasUpdatedBefore() {
        m.updated(20, 1, 0, 5, 1);
        found(Invariant.VER_3, "update version 0 before 1");
    }

    @Test
    void aPredecessorCommitsAfter() {
        m.updated(20, 0, 0, 5, 1);
        m.updated(20, 1, 0, 5, 1);
        m.committed(21, 0, 0, 5, 1, 1, 77);
        found("VER-3 at 21 ps, nodes 0 and 1, chunk 5 of chain 0: commit version 1 before 0"
                + " (a predecessor has at least its successor's update version, and at most its commit version)");
    }

    /** A third copy fetches up, and is asked to serve when it has what the second has. */
    private void fetchUp(long version, long digest) {
        write(1, 77);
        write(2, 78);
        m.table(15, 0, 2, List.of(0, 1, 2), List.of(TargetState.SERVING, TargetState.SERVING, TargetState.SYNCING));
        for (int node = 0; node < 3; node++) {
            m.adopted(16, node, 0, 2);
        }
        m.replaced(17, 2, 0, 5, 1, version, digest);
        m.table(18, 0, 3, List.of(0, 1, 2), List.of(TargetState.SERVING, TargetState.SERVING, TargetState.SERVING));
    }

    @Test
    void whoHasFetchedUpMayServe() {
        fetchUp(2, 78);
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void whoHasNotFetchedUpMayNotServe() {
        fetchUp(1, 77);
        found("SYNC-1 at 18 ps, node 2, chunk 5 of chain 0: serves version 1; node 1 has 2"
                + " (a copy that has fetched up serves only when it has what its predecessor has)");
    }

    @Test
    void whoHasFetchedSomethingElseMayNotServe() {
        fetchUp(2, 79);
        assertThat(m.findings().count(Invariant.SYNC_1)).isEqualTo(1);
    }

    @Test
    void whoIsTakenOutOfTheChainServesNobody() {
        m.admitted(15, 1, 0);
        m.table(16, 0, 2, List.of(0, 1), List.of(TargetState.SERVING, TargetState.OFFLINE));
        m.admitted(17, 0, 0);
        assertThat(m.findings().list()).isEmpty();
        m.admitted(18, 1, 0);
        found("MEM-4 at 18 ps, node 1, chain 0: serves a read under version 1, it is OFFLINE in version 2"
                + " (nobody serves whom the manager has taken out of the chain)");
    }

    @Test
    void aRequestIsCarriedOutOnce() {
        m.executed(15, 0, 0, 5, new Request(7, 1, 1), 1);
        m.executed(16, 0, 0, 5, new Request(7, 1, 2), 2);
        m.executed(17, 0, 0, 6, new Request(7, 2, 1), 1);
        m.executed(17, 0, 0, 6, new Request(8, 1, 1), 2);
        assertThat(m.findings().list()).isEmpty();
        m.executed(18, 0, 0, 5, new Request(7, 1, 2), 3);
        found("AMO-1 at 18 ps, node 0, chunk 5 of chain 0: request 2 of channel 1 of client 0x7 as version 3,"
                + " it was version 2 (a node carries out a request once while it lives)");
    }

    /** A node that has lost its memory may do that, for all that AMO-1 asks; what is late may not come even then. */
    @Test
    void aRequestIsNotCarriedOutBehindALaterOne() {
        m.executed(15, 0, 0, 5, new Request(7, 1, 2), 1);
        m.crashed(16, 0);
        m.executed(17, 0, 0, 5, new Request(7, 1, 2), 2);
        m.executed(17, 0, 1, 9, new Request(7, 1, 1), 1); // another chain, which knows nothing of request 2
        assertThat(m.findings().list()).isEmpty();
        m.executed(18, 1, 0, 5, new Request(7, 1, 1), 3);
        found("AMO-2 at 18 ps, node 1, chunk 5 of chain 0: request 1 of channel 1 of client 0x7 as version 3,"
                + " behind request 2 (no request of a channel is carried out behind a later one in a chain)");
    }

    /** Only neighbours that serve, and go by the same version of the chain. */
    @Test
    void whoIsAwayIsNoNeighbour() {
        m.crashed(15, 1);
        m.updated(20, 0, 0, 5, 1);
        m.committed(21, 0, 0, 5, 1, 1, 77);
        assertThat(m.findings().list()).isEmpty();
        m.adopted(22, 1, 0, 1);
        found(Invariant.VER_3, "commit version 1 before 0");
    }

    @Test
    void aPredecessorThatIsAwayIsNoNeighbour() {
        m.crashed(15, 0);
        m.updated(20, 1, 0, 5, 1);
        m.committed(21, 1, 0, 5, 1, 1, 77);
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void whoGoesByAnotherVersionOfTheChainIsNoNeighbour() {
        m.table(2, 0, 2, List.of(0, 1), List.of(TargetState.SERVING, TargetState.SERVING));
        m.adopted(3, 1, 0, 2);
        m.updated(20, 1, 0, 5, 1);
        assertThat(m.findings().list()).isEmpty();
        m.adopted(21, 0, 0, 2);
        found(Invariant.VER_3, "update version 0 before 1");
    }

    @Test
    void chainVersionsDoNotFall() {
        m.table(2, 0, 2, List.of(0, 1), List.of(TargetState.SERVING, TargetState.SERVING));
        m.adopted(3, 0, 0, 2);
        m.crashed(4, 0);
        m.adopted(5, 0, 0, 1);
        found(Invariant.VER_4, "version 1 after 2");
    }

    @Test
    void aCopyIsNotOfAFutureChain() {
        m.replaced(5, 1, 0, 5, 2, 0, 0);
        found(Invariant.VER_4, "a copy of chain version 2 at a node of 1");
    }

    @Test
    void theSameVersionIsTheSameContent() {
        m.updated(10, 0, 0, 5, 1);
        m.updated(11, 1, 0, 5, 1);
        m.committed(12, 1, 0, 5, 1, 1, 77);
        m.committed(13, 0, 0, 5, 1, 1, 78);
        found("AGR-2 at 13 ps, nodes 1 and 0, chunk 5 of chain 0: version 1 is 0x4d and 0x4e"
                + " (serving copies with the same chain version and commit version have the same content)");
    }

    /** A version that was written again under a later version of the chain is another; and who is away may hold anything. */
    @Test
    void otherVersionsMayHaveOtherContent() {
        m.updated(10, 0, 0, 5, 1);
        m.updated(11, 1, 0, 5, 1);
        m.committed(12, 1, 0, 5, 0, 1, 77);
        m.committed(13, 0, 0, 5, 1, 1, 78);
        assertThat(m.findings().list()).isEmpty();
        m.crashed(14, 1);
        m.replaced(15, 1, 0, 5, 1, 2, 79);
        m.updated(16, 0, 0, 5, 2);
        m.committed(17, 0, 0, 5, 1, 2, 80);
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void whoComesToServeHasTheSameContent() {
        write(1, 77);
        m.crashed(15, 1);
        m.replaced(16, 1, 0, 5, 1, 1, 78);
        m.adopted(17, 1, 0, 1);
        found(Invariant.AGR_2, "version 1 is 0x4d and 0x4e");
    }

    @Test
    void nothingIsPendingAtRest() {
        m.updated(10, 0, 0, 5, 1);
        m.quiescent(20);
        found(Invariant.AGR_1, "version 1 is pending");
    }

    @Test
    void copiesAtRestAreTheSame() {
        m.crashed(9, 1);
        m.replaced(10, 1, 0, 5, 1, 1, 78);
        m.replaced(10, 0, 0, 5, 1, 1, 77);
        m.quiescent(20);
        found(Invariant.AGR_1, "version 1 is 0x4e, the head has 0x4d");
        m.replaced(30, 1, 0, 5, 1, 2, 77);
        m.quiescent(40);
        assertThat(m.findings().list().get(1).words()).isEqualTo("version 2, the head has 1");
    }

    @Test
    void whatWasAcknowledgedIsThere() {
        write(1, 77);
        m.crashed(19, 0);
        m.crashed(19, 1);
        m.replaced(20, 0, 0, 5, 1, 0, 0);
        m.replaced(20, 1, 0, 5, 1, 0, 0);
        m.quiescent(30);
        assertThat(m.findings().list())
                .extracting(Finding::invariant)
                .containsExactly(Invariant.DUR_1, Invariant.DUR_1);
        assertThat(m.findings().list().get(1).text())
                .isEqualTo("DUR-1 at 30 ps, node 1, chunk 5 of chain 0: version 1 was acknowledged, 0 is there"
                        + " (what was acknowledged is on every serving node)");
    }

    @Test
    void whatWasRemovedNeedNotBeThere() {
        write(1, 77);
        m.removed(20, 1, 0, 5);
        m.removed(20, 0, 0, 5);
        m.quiescent(30);
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void nothingIsAcknowledgedBeforeTheTailAndTheHeadHaveCommitted() {
        m.updated(10, 0, 0, 5, 1);
        m.acked(14, 3, 0, 5, 1, 1);
        assertThat(m.findings().list())
                .extracting(Finding::text)
                .containsExactly(
                        "DUR-3 at 14 ps, node 1, chunk 5 of chain 0: version 1 acknowledged, the tail has committed 0"
                                + " (no acknowledgement before tail and head have committed)",
                        "DUR-3 at 14 ps, node 0, chunk 5 of chain 0: version 1 acknowledged, the head has committed 0"
                                + " (no acknowledgement before tail and head have committed)");
    }

    /** What a disk has lost since was there when it was acknowledged: that is another finding, at rest. */
    @Test
    void whatWasCommittedMayBeAcknowledged() {
        m.updated(10, 0, 0, 5, 1);
        m.updated(11, 1, 0, 5, 1);
        m.committed(12, 1, 0, 5, 1, 1, 77);
        m.committed(13, 0, 0, 5, 1, 1, 77);
        m.crashed(14, 1);
        m.replaced(15, 1, 0, 5, 0, 0, 0);
        m.acked(16, 3, 0, 5, 1, 1);
        assertThat(m.findings().list()).isEmpty();
    }

    @Test
    void nobodyAcknowledgesForAChainThatDoesNotServe() {
        m.acked(14, 3, 0, 5, 9, 1);
        found(Invariant.DUR_3, "version 1 under version 9 of the chain, in which nobody serves");
    }

    @Test
    void aChainHasSomeoneWithAllData() {
        m.table(5, 0, 2, List.of(0, 1), List.of(TargetState.LASTSRV, TargetState.OFFLINE));
        assertThat(m.findings().list()).isEmpty();
        m.table(6, 0, 3, List.of(0, 1), List.of(TargetState.SYNCING, TargetState.OFFLINE));
        found(Invariant.MEM_1, "its nodes are [SYNCING, OFFLINE]");
    }

    @Test
    void oneFetchesUpAtATime() {
        m.table(6, 0, 3, List.of(0, 1, 2), List.of(TargetState.SERVING, TargetState.SYNCING, TargetState.SYNCING));
        found(Invariant.MEM_2, "its nodes are [SERVING, SYNCING, SYNCING]");
    }

    @Test
    void aVersionOfAChainHasOneHead() {
        m.headed(5, 0, 0, 1);
        m.headed(6, 0, 0, 1);
        m.headed(7, 1, 0, 2);
        m.headed(8, 1, 0, 1);
        assertThat(m.findings().list()).isEmpty();
        m.headed(9, 0, 0, 2);
        found(Invariant.MEM_3, "nodes 1 and 0 are both its head");
    }

    @Test
    void aTableIsWhole() {
        assertThatThrownBy(() -> m.table(5, 0, 2, List.of(0, 1), List.of(TargetState.SERVING)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("chain version 2: 2 nodes and 1 states; there must be one for each");
    }

    @Test
    void aMonitorOfOnesOwnIsTold() {
        m.add(new Monitor(m.replicas(), m.findings()) {
            @Override
            public void removed(long ps, int node, int chain, long key) {
                report(Invariant.DUR_1, ps, node, replicas.chunk(chain, key), "nothing is ever removed");
            }
        });
        m.removed(5, 1, 0, 5);
        found(Invariant.DUR_1, "nothing is ever removed");
    }

    @Test
    void aHundredFindingsAreKept() {
        for (int i = 0; i < 300; i++) {
            m.committed(20, 1, 0, i, 1, 1, 77);
            m.committed(21, 1, 0, i, 0, 0, 77);
        }
        assertThat(m.findings().count()).isEqualTo(300 + 300);
        assertThat(m.findings().count(Invariant.VER_1)).isEqualTo(300);
        assertThat(m.findings().count(Invariant.DUR_1)).isZero();
        assertThat(m.findings().list()).hasSize(100);
    }

    @Test
    void whatIsNotPromisedIsNotWatched() {
        Monitors some = new Monitors(EnumSet.complementOf(EnumSet.of(Invariant.VER_1)));
        some.committed(20, 1, 0, 5, 0, 7, 77);
        some.committed(21, 1, 0, 5, 0, 6, 77);
        assertThat(some.findings().list()).extracting(Finding::invariant).containsExactly(Invariant.VER_2);
    }

    @Property(tries = 400)
    void aChainThatIsRightIsNotReported(@ForAll long seed) {
        ChainModel chain = new ChainModel(seed, Mutant.NONE, new Monitors());
        chain.run(600);
        chain.comeToRest();
        assertThat(chain.monitors.findings().list()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ACK_BEFORE_COMMIT, DUR_3",
        "HEAD_COMMITS_FIRST, VER_3",
        "SKIP_A_VERSION, VER_1",
        "SAME_VERSION_AGAIN, VER_2",
        "OTHER_BYTES, AGR_2",
        "NO_FETCH, VER_3",
        "EVERYBODY_IS_HEAD, MEM_3",
        "TAIL_FORGETS, DUR_3",
        "OLD_TABLE, VER_4"
    })
    void aChainThatIsWrongIsReported(Mutant mutant, Invariant first) {
        Set<Invariant> seen = EnumSet.noneOf(Invariant.class);
        int caught = 0;
        for (long seed = 0; seed < 20; seed++) {
            ChainModel chain = new ChainModel(seed, mutant, new Monitors());
            chain.run(600);
            chain.comeToRest();
            caught += chain.monitors.findings().count() > 0 ? 1 : 0;
            chain.monitors.findings().list().forEach(f -> seen.add(f.invariant()));
        }
        assertThat(caught).as("of 20 runs").isGreaterThan(10);
        assertThat(seen).contains(first);
    }

    /** Monitors restored are as those saved: they find the same in what follows. */
    @Property(tries = 50)
    void aSnapshotKnowsWhatWas(@ForAll long seed) {
        Monitors whole = new Monitors();
        ChainModel chain = new ChainModel(seed, Mutant.OTHER_BYTES, whole);
        chain.run(300);
        Snapshot half = new Snapshot();
        whole.save(half);
        chain.run(300);
        chain.comeToRest();
        List<Finding> all = List.copyOf(whole.findings().list());
        ChainModel again = new ChainModel(seed, Mutant.OTHER_BYTES, new Monitors());
        again.run(300);
        again.monitors.load(half);
        again.run(300);
        again.comeToRest();
        assertThat(again.monitors.findings().list()).isEqualTo(all);
    }

    private void found(Invariant invariant, String words) {
        assertThat(m.findings().list()).hasSize(1);
        assertThat(m.findings().list().get(0).words()).isEqualTo(words);
        assertThat(m.findings().list().get(0).invariant()).isEqualTo(invariant);
    }

    private void found(String text) {
        assertThat(m.findings().list()).extracting(Finding::text).containsExactly(text);
    }
}
