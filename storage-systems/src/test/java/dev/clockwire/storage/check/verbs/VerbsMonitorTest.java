package dev.clockwire.storage.check.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.VerbsTap;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.storage.check.monitor.Finding;
import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.Monitors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Right and wrong orders of what is posted and what comes back. */
class VerbsMonitorTest {
    private static final int CQ = 3;
    private static final int QP = 0x11;
    private static final int ENTRIES = 8;

    private final Findings findings = new Monitors().findings();
    private long now = 1;
    private final VerbsMonitor m = new VerbsMonitor("node0", () -> now, findings);

    @BeforeEach
    void pair() {
        m.queueMade(CQ, ENTRIES);
        m.pairMade(QP, CQ, CQ, VerbsTap.OWN);
        m.modified(QP, QpState.RTS, 16);
    }

    private void found(String... ids) {
        assertThat(findings.list())
                .extracting((Finding f) -> f.invariant().id())
                .containsExactly(ids);
    }

    private void ends(long wrId, WcOpcode opcode, WcStatus status) {
        WorkCompletion wc = new WorkCompletion();
        wc.wrId = wrId;
        wc.opcode = opcode;
        wc.status = status;
        wc.qpNum = QP;
        m.completed(CQ, wc);
    }

    private void sent(long wrId) {
        ends(wrId, WcOpcode.SEND, WcStatus.SUCCESS);
    }

    private void flushed(long wrId) {
        ends(wrId, WcOpcode.SEND, WcStatus.WR_FLUSH_ERR);
    }

    private void received(long wrId) {
        ends(wrId, WcOpcode.RECV, WcStatus.SUCCESS);
    }

    @Test
    void aReceiveMayBePostedAgainWhenItHasComeBack() {
        m.receivePosted(QP, 1);
        m.receivePosted(QP, 2);
        received(1);
        m.receivePosted(QP, 1);
        found();
    }

    @Test
    void aReceiveThatHasNotComeBackIsNotPostedAgain() {
        m.receivePosted(QP, 1);
        m.receivePosted(QP, 2);
        received(1);
        m.receivePosted(QP, 2);
        found("RD-2");
        assertThat(findings.list().get(0).who()).isEqualTo("node0, QP 0x11");
    }

    @Test
    void aReceiveOfASharedQueueMayComeBackThroughAnyPair() {
        int srq = 5;
        int other = 0x12;
        m.sharedMade(srq);
        m.pairMade(other, CQ, CQ, srq);
        m.pairMade(QP, CQ, CQ, srq);
        for (int i = 0; i < ENTRIES / 2; i++) {
            m.sharedPosted(srq, i);
        }
        received(2);
        m.sharedPosted(srq, 2);
        found();
        m.sharedPosted(srq, 3);
        found("RD-2");
        m.pairGone(QP);
        m.sharedPosted(srq, 1);
        found("RD-2", "RD-2");
    }

    @Test
    void asMuchMayBePostedAsThereAreEntries() {
        for (int i = 0; i < ENTRIES / 2; i++) {
            m.receivePosted(QP, i);
            m.sendPosted(QP, i, false); // it has a completion if it fails
        }
        found();
        m.sendPosted(QP, 99, true);
        m.sendPosted(QP, 100, true);
        found("RD-3");
        assertThat(findings.list().get(0).words()).isEqualTo("9 completions may come, it has 8 entries");
        sent(99);
        m.sendPosted(QP, 101, true);
        found("RD-3");
    }

    @Test
    void whatIsGoneOwesNothing() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < ENTRIES / 2; i++) {
                m.receivePosted(QP, i);
                m.sendPosted(QP, i, true);
            }
            m.modified(QP, QpState.RESET, 0);
            m.receivePosted(QP, 0);
            m.pairGone(QP);
            m.pairMade(QP, CQ, CQ, VerbsTap.OWN);
        }
        found();
    }

    @Test
    void receivesOfASharedQueueCountForEachCompletionQueueOfItsPairs() {
        m.sharedMade(1);
        m.pairMade(QP, CQ, CQ, 1);
        for (int i = 0; i < ENTRIES; i++) {
            m.sharedPosted(1, i);
        }
        found();
        m.sendPosted(QP, 1, true);
        found("RD-3");
    }

    @Test
    void unsignalledSendsAreCoveredByTheNextCompletion() {
        m.sendPosted(QP, 1, false);
        m.sendPosted(QP, 2, false);
        m.sendPosted(QP, 3, true);
        m.sendPosted(QP, 4, true);
        sent(3);
        sent(4);
        found();
    }

    @Test
    void aSignalledSendIsNotLeftOut() {
        m.sendPosted(QP, 1, true);
        m.sendPosted(QP, 2, true);
        sent(2);
        found("RD-5");
    }

    @Test
    void aSendHasOneCompletion() {
        m.sendPosted(QP, 1, true);
        sent(1);
        sent(1);
        found("RD-5");
    }

    @Test
    void anUnsignalledSendThatSucceedsHasNone() {
        m.sendPosted(QP, 1, false);
        sent(1);
        found("RD-5");
    }

    @Test
    void aReceiveHasOneCompletion() {
        m.receivePosted(QP, 1);
        received(1);
        received(1);
        found("RD-5");
    }

    @Test
    void aSendThatNeverEndsIsMissedAtRest() {
        m.sendPosted(QP, 1, false);
        now += 2 * VerbsMonitor.GIVEN_UP_PS;
        m.quiescent();
        found();
        m.sendPosted(QP, 2, true);
        now += VerbsMonitor.GIVEN_UP_PS / 2;
        m.quiescent();
        found();
        now += VerbsMonitor.GIVEN_UP_PS;
        m.quiescent();
        found("RD-5");
    }

    /** A queue that stands at a WAIT for what nobody sends any more has nothing to be missed. */
    @Test
    void aSendBehindAWaitMayStayForEver() {
        m.waitPosted(QP);
        m.sendPosted(QP, 1, true);
        now += 2 * VerbsMonitor.GIVEN_UP_PS;
        m.quiescent();
        found();
    }

    /** What fails has a completion even if it is not signalled; sends with one number cannot be told apart. */
    @Test
    void everythingIsFlushedBehindAnError() {
        m.sendPosted(QP, 7, false); // succeeds
        m.sendPosted(QP, 7, false); // fails
        m.sendPosted(QP, 8, false);
        m.sendPosted(QP, 7, true);
        m.sendPosted(QP, 7, false);
        m.receivePosted(QP, 1);
        ends(7, WcOpcode.SEND, WcStatus.RETRY_EXC_ERR);
        flushed(8);
        flushed(7);
        flushed(7);
        ends(1, WcOpcode.RECV, WcStatus.WR_FLUSH_ERR);
        now += VerbsMonitor.FLUSHED_PS;
        m.closing(QP, false);
        found();
    }

    @Test
    void aSignalledOneOfSeveralWithOneNumberMayFail() {
        m.sendPosted(QP, 7, false); // succeeds
        m.sendPosted(QP, 7, true); // fails
        m.sendPosted(QP, 8, false);
        ends(7, WcOpcode.SEND, WcStatus.RETRY_EXC_ERR);
        flushed(8);
        now += VerbsMonitor.FLUSHED_PS;
        m.closing(QP, false);
        found();
    }

    @Test
    void anUnsignalledSendThatIsNotFlushedIsMissed() {
        m.sendPosted(QP, 1, true);
        m.sendPosted(QP, 2, false);
        m.modified(QP, QpState.ERR, 16);
        flushed(1);
        now += VerbsMonitor.FLUSHED_PS;
        m.closing(QP, true); // perhaps nobody has looked
        found();
        m.closing(QP, false);
        found("RD-6");
    }

    @Test
    void unsignalledSendsMayHaveSucceededBeforeTheError() {
        m.sendPosted(QP, 1, true);
        m.sendPosted(QP, 2, false);
        sent(1);
        m.modified(QP, QpState.ERR, 16);
        now += VerbsMonitor.FLUSHED_PS;
        m.closing(QP, false);
        found();
    }

    @Test
    void aReceiveThatIsNotFlushedIsMissed() {
        m.receivePosted(QP, 1);
        m.receivePosted(QP, 2);
        m.modified(QP, QpState.ERR, 16);
        ends(1, WcOpcode.RECV, WcStatus.WR_FLUSH_ERR);
        now += VerbsMonitor.FLUSHED_PS - 1;
        m.closing(QP, false);
        found();
        now += 1;
        m.closing(QP, false);
        found("RD-6");
    }

    @Test
    void nothingSucceedsBehindWhatWasFlushed() {
        m.sendPosted(QP, 1, true);
        m.sendPosted(QP, 2, true);
        flushed(1);
        sent(2);
        found("RD-6");
    }

    @Test
    void noMoreReadsAreUnderWayThanItMayHave() {
        m.readLeft(QP, 16);
        found();
        m.readLeft(QP, 17);
        found("RD-8");
        assertThat(findings.list().get(0).words()).isEqualTo("17 READs are under way, it may have 16");
        m.modified(QP, QpState.RESET, 0);
        m.readLeft(QP, 1); // of the connection before
        found("RD-8");
    }

    @Test
    void nobodyIsTold() {
        m.notReady(QP, "node1");
        found("RD-1");
        assertThat(findings.list().get(0).words()).isEqualTo("node1 has no receive for what it sends");
    }

    @Test
    void aPairThatIsNotKnownIsNobodys() {
        m.pairGone(QP);
        m.sendPosted(QP, 1, true);
        m.receivePosted(QP, 1);
        m.receivePosted(QP, 1);
        sent(5);
        m.closing(QP, false);
        m.readLeft(QP, 99);
        found();
    }
}
