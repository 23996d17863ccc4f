package dev.clockwire.storage.check.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DX-2 by the fewest events: who must have what is committable, when a leader has not heard yet of a newer table. */
class TransactionMonitorTest {
    private static final long KEY = 5;
    private final Monitors m = new Monitors();
    private final TransactionMonitor t = new TransactionMonitor(m);

    @BeforeEach
    void twoServe() {
        m.add(t);
        table(1, TargetState.SERVING);
        m.adopted(1, 0, 0, 1);
        m.adopted(1, 1, 0, 1);
        t.begun(2, 0, 0, KEY, 10, 7, 1);
        t.prepared(3, 0, 0, KEY, 10);
    }

    private void table(long version, TargetState second) {
        m.table(version, 0, version, List.of(0, 1), List.of(TargetState.SERVING, second));
    }

    /** Node 1 has prepared, begins anew, and drops that by a table that node 0 does not know. */
    private void beginsAnew() {
        t.prepared(4, 1, 0, KEY, 10);
        table(2, TargetState.SYNCING);
        m.crashed(5, 1);
        m.adopted(5, 1, 0, 2);
        t.aborted(5, 1, 0, KEY, 10);
    }

    private void servesAgain() {
        table(3, TargetState.SERVING);
        m.adopted(9, 1, 0, 3);
    }

    private List<String> found() {
        return m.findings().list().stream()
                .map(f -> f.invariant() + " " + f.words())
                .toList();
    }

    @Test
    void whatIsCommittableIsDurableWhereverItServes() {
        t.committable(6, 0, 0, KEY, 10);
        assertThat(found()).containsExactly("DX_2 version 10 is committable at node 0 and not durable");
    }

    @Test
    void aNodeThatCrashedAndHasNotBegunAnewHasItsDisk() {
        m.crashed(5, 1);
        t.committable(6, 0, 0, KEY, 10);
        assertThat(found()).hasSize(1);
    }

    @Test
    void whoIsOutOfServiceByANewerTableCopiesItBeforeItServes() {
        beginsAnew();
        t.committable(6, 0, 0, KEY, 10);
        t.prepared(8, 1, 0, KEY, 10);
        servesAgain();
        assertThat(found()).isEmpty();
    }

    @Test
    void whoServesWithoutACopyIsFoundOut() {
        beginsAnew();
        t.committable(6, 0, 0, KEY, 10);
        servesAgain();
        assertThat(found())
                .containsExactly("DX_2 version 10 was committable before the node serves, and is not durable");
    }

    @Test
    void whoServesAgainByANewerTableMustHaveIt() {
        beginsAnew();
        servesAgain();
        t.committable(10, 0, 0, KEY, 10);
        assertThat(found()).containsExactly("DX_2 version 10 is committable at node 0 and not durable");
    }

    @Test
    void aVersionBehindItIsAsGood() {
        beginsAnew();
        t.begun(6, 0, 0, KEY, 11, 7, 2);
        t.prepared(6, 0, 0, KEY, 11);
        t.prepared(7, 1, 0, KEY, 11);
        t.committable(7, 0, 0, KEY, 11);
        servesAgain();
        t.committable(10, 0, 0, KEY, 10);
        assertThat(found()).isEmpty();
    }
}
