package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.RequestDecision.Drop;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.junit.jupiter.api.Test;

/** Requests that come again: acknowledged, read or replayed again, never executed twice. */
class ResponderDuplicateTest extends ResponderRig {
    @Test
    void duplicateSendIsAcknowledgedAgainAndNotExecuted() {
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        feed(Opcode.RC_SEND_ONLY, FIRST + 1, 5);
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.action).isEqualTo(Action.REACK);
        assertThat(d.ackDue).isTrue();
        assertThat(d.ackPsn).isEqualTo(FIRST + 1);
        assertThat(d.msn).isEqualTo(2);
        assertThat(d.takesReceive).isFalse();
        assertThat(s.expectedPsn()).isEqualTo(FIRST + 2);
    }

    @Test
    void repeatedAcknowledgementMayLieInsideAMessage() {
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        feed(Opcode.RC_SEND_FIRST, FIRST + 1, 1024);
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.ackPsn).isEqualTo(FIRST + 1);
        assertThat(d.msn).isEqualTo(1);
    }

    @Test
    void repeatedAcknowledgementNeverGoesOverARead() {
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        feedRead(FIRST + 1, 0x2000, 3000);
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.ackPsn).isEqualTo(FIRST);
    }

    @Test
    void duplicatesThatDoNotAskMayStayUnanswered() {
        s.connect(spec(QpType.RC).withAckEveryDuplicate(false));
        feed(Opcode.RC_SEND_FIRST, FIRST, 1024);
        feed(Opcode.RC_SEND_FIRST, FIRST, 1024);
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
        feed(Opcode.RC_SEND_LAST, FIRST + 1, 10);
        feed(Opcode.RC_SEND_LAST, FIRST + 1, 10);
        assertThat(d.action).isEqualTo(Action.REACK);
    }

    @Test
    void duplicateReadIsReadAgainFromItsPsn() {
        feedRead(FIRST, 0x2000, 3000);
        feed(Opcode.RC_SEND_ONLY, FIRST + 3, 5);
        feedRead(FIRST + 1, 0x2400, 1976);
        assertThat(d.action).isEqualTo(Action.REREAD);
        assertThat(d.ackPsn).isEqualTo(FIRST + 1);
        assertThat(d.va).isEqualTo(0x2400);
        assertThat(d.length).isEqualTo(1976);
        assertThat(d.responses).isEqualTo(2);
        assertThat(d.msn).as("the current one").isEqualTo(2);
        assertThat(s.expectedPsn()).isEqualTo(FIRST + 4);
    }

    @Test
    void duplicateReadMustFitTheOriginal() {
        feedRead(FIRST, 0x2000, 3000);
        feedRead(FIRST + 1, 0x2400, 1977);
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
        feedRead(FIRST, 0x1FFF, 10);
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
        feedRead(FIRST + 2, 0x2000, 3000);
        assertThat(d.drop).as("more responses than PSNs").isEqualTo(Drop.DUPLICATE);
        RocePacket otherKey = packet(Opcode.RC_RDMA_READ_REQUEST, FIRST, 0);
        otherKey.va = 0x2000;
        otherKey.dmaLen = 3000;
        otherKey.rkey = KEY + 1;
        feed(otherKey);
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
        env.refusal = Syndrome.NAK_REMOTE_ACCESS;
        feedRead(FIRST, 0x2000, 3000);
        assertThat(d.action).as("duplicates are never refused").isEqualTo(Action.DROP);
    }

    @Test
    void oldestReadIsForgottenWhenTheRingIsFull() {
        s.connect(spec(QpType.RC).withMaxDestRdAtomic(2));
        for (int i = 0; i < 3; i++) {
            feedRead(FIRST + i, 0x2000, 10);
        }
        feedRead(FIRST, 0x2000, 10);
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
        feedRead(FIRST + 1, 0x2000, 10);
        assertThat(d.action).isEqualTo(Action.REREAD);
    }

    @Test
    void duplicateAtomicIsReplayedNotExecuted() {
        RocePacket in = packet(Opcode.RC_FETCH_ADD, FIRST, 0);
        in.swapAdd = 3;
        feed(in);
        assertThat(d.action).isEqualTo(Action.ATOMIC);
        assertThat(d.compareSwap).isFalse();
        assertThat(d.swapAdd).isEqualTo(3);
        assertThat(d.msn).isEqualTo(1);
        int resource = d.resource;
        feed(in);
        assertThat(d.action)
                .as("answered, but not before the first try is done")
                .isEqualTo(Action.REPLAY_ATOMIC);
        assertThat(d.unfinished).isTrue();
        Responder.atomicDone(s, resource, FIRST, 41);
        feed(in);
        assertThat(d.action).isEqualTo(Action.REPLAY_ATOMIC);
        assertThat(d.unfinished).isFalse();
        assertThat(d.original).isEqualTo(41);
    }

    @Test
    void resultOfAForgottenAtomicIsThrownAway() {
        s.connect(spec(QpType.RC).withMaxDestRdAtomic(1));
        feed(Opcode.RC_FETCH_ADD, FIRST, 0);
        feed(Opcode.RC_COMPARE_SWAP, FIRST + 1, 0);
        assertThat(d.compareSwap).isTrue();
        Responder.atomicDone(s, 0, FIRST, 41);
        feed(Opcode.RC_COMPARE_SWAP, FIRST + 1, 0);
        assertThat(d.unfinished).as("the result was another's").isTrue();
        feed(Opcode.RC_FETCH_ADD, FIRST, 0);
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
    }

    @Test
    void aNewConnectionForgetsWhatWasKept() {
        feedRead(FIRST, 0x1000, 10);
        connect();
        feed(Opcode.RC_SEND_ONLY, FIRST, 10);
        feedRead(FIRST, 0x1000, 10);
        assertThat(d.action).isEqualTo(Action.DROP);
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
    }
}
