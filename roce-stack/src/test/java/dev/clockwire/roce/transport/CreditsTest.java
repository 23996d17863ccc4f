package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.ResponseResult.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** End-to-end flow control at the requester: LSN = MSN + credits, one packet beyond it asks. Path MTU 1024, first PSN 100. */
class CreditsTest {
    private static final int FIRST = 100;
    private static final int CREDITS_4 = 4;

    private RequesterState s = new RequesterState(16);
    private final ResponseResult result = new ResponseResult();
    private final RocePacket packet = new RocePacket();

    @BeforeEach
    void connect() {
        s.connect(RequesterSpec.of(QpType.RC, 1024, 0x11, 0x12)
                .withFirstPsn(FIRST)
                .withCredits(true));
    }

    private void admit(WrOpcode opcode, long length, int times) {
        SendWork work = new SendWork();
        work.opcode = opcode;
        work.length = length;
        for (int i = 0; i < times; i++) {
            assertThat(Requester.admit(s, work)).isNotNegative();
        }
    }

    private int sendAll() {
        int sent = 0;
        while (Requester.canSend(s)) {
            Requester.fillNext(s, packet);
            sent++;
        }
        return sent;
    }

    private void answer(Opcode opcode, int psn, int syndrome, int msn) {
        RocePacket in = new RocePacket();
        in.opcode = opcode.code();
        in.psn = psn;
        in.syndrome = syndrome;
        in.msn = msn;
        Requester.onResponse(s, in, result);
    }

    private void ack(int psn, int credits, int msn) {
        answer(Opcode.RC_ACKNOWLEDGE, psn, credits, msn);
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "SEND_WITH_IMM", "SEND_WITH_INV", "RDMA_WRITE_WITH_IMM"})
    void whatTakesAReceiveBeginsWithOneQuestion(WrOpcode opcode) {
        admit(opcode, 10, 3);
        assertThat(sendAll()).isOne();
        assertThat(packet.psn).isEqualTo(FIRST);
        ack(FIRST, CREDITS_4, 1);
        assertThat(sendAll()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP"})
    void whatTakesNoReceiveIsNotLimited(WrOpcode opcode) {
        admit(opcode, 8, 5);
        assertThat(sendAll()).isEqualTo(5);
    }

    @Test
    void theLimitIsTheMsnPlusTheCreditsAndOneAsks() {
        admit(WrOpcode.SEND, 10, 9);
        sendAll();
        ack(FIRST, CREDITS_4, 1);
        // Messages 2 to 5 have receives, and 6 asks.
        assertThat(sendAll()).isEqualTo(5);
        assertThat(s.cursorEntry()).isEqualTo(6);
        ack(FIRST + 5, 0, 6);
        assertThat(sendAll()).isOne();
    }

    @Test
    void aLongMessageAsksWithItsFirstPacketAndGoesOnWhenThatWasTaken() {
        admit(WrOpcode.SEND, 3000, 1);
        assertThat(sendAll()).isOne();
        assertThat(Opcode.of(packet.opcode)).isEqualTo(Opcode.RC_SEND_FIRST);
        assertThat(packet.ackReq).as("the question wants an answer").isTrue();
        ack(FIRST, 0, 0);
        assertThat(sendAll()).isEqualTo(2);
        assertThat(packet.ackReq).isTrue();
    }

    @Test
    void aMessageWithinTheLimitAsksOnlyAtItsEnd() {
        admit(WrOpcode.SEND, 10, 1);
        sendAll();
        ack(FIRST, CREDITS_4, 1);
        admit(WrOpcode.SEND, 3000, 1);
        Requester.fillNext(s, packet);
        assertThat(packet.ackReq).isFalse();
    }

    @Test
    void messagesThatTakeNoReceiveCountAsWell() {
        admit(WrOpcode.RDMA_WRITE, 10, 5);
        admit(WrOpcode.SEND, 10, 2);
        // The SEND is message 6, further than one beyond the limit, while the writes are not acknowledged.
        assertThat(sendAll()).isEqualTo(5);
        ack(FIRST + 4, 1, 5);
        assertThat(sendAll()).as("the sixth has a receive, the seventh asks").isEqualTo(2);
    }

    @Test
    void whenNothingIsUnderWayOneMayAlwaysAsk() {
        admit(WrOpcode.RDMA_WRITE, 10, 5);
        sendAll();
        // An acknowledgement whose credits lag behind its PSN: the limit stays far below.
        ack(FIRST + 4, 0, 2);
        admit(WrOpcode.SEND, 10, 2);
        assertThat(sendAll()).isOne();
    }

    @Test
    void code31LiftsTheLimitForGood() {
        admit(WrOpcode.SEND, 10, 8);
        sendAll();
        ack(FIRST, Syndrome.NO_CREDIT_LIMIT, 1);
        assertThat(sendAll()).isEqualTo(7);
        ack(FIRST + 7, 0, 8);
        admit(WrOpcode.SEND, 10, 4);
        assertThat(sendAll()).isEqualTo(4);
    }

    @Test
    void anOlderAnnouncementTakesNothingBack() {
        admit(WrOpcode.SEND, 10, 9);
        sendAll();
        ack(FIRST, CREDITS_4, 1);
        sendAll();
        ack(FIRST + 1, 0, 2);
        admit(WrOpcode.SEND, 10, 1);
        assertThat(s.cursorEntry()).isEqualTo(6);
        ack(FIRST + 2, 6, 3);
        assertThat(sendAll()).as("the limit is 3 + 8 now").isEqualTo(4);
    }

    @Test
    void anAcknowledgementThatSaysNothingElseMayAnnounceReceives() {
        admit(WrOpcode.SEND, 10, 1);
        sendAll();
        ack(FIRST, 0, 1);
        admit(WrOpcode.SEND, 10, 3);
        assertThat(sendAll()).isOne();
        ack(FIRST, CREDITS_4, 1);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        assertThat(sendAll()).isEqualTo(2);
    }

    @Test
    void otherOldAnswersAnnounceNothing() {
        admit(WrOpcode.SEND, 10, 1);
        sendAll();
        ack(FIRST, 0, 1);
        admit(WrOpcode.SEND, 10, 3);
        sendAll();
        ack(FIRST - 1, CREDITS_4, 1);
        assertThat(Requester.canSend(s)).as("too old").isFalse();
        ack(FIRST + 2, CREDITS_4, 1);
        assertThat(Requester.canSend(s)).as("never sent").isFalse();
        ack(FIRST, Syndrome.rnr(CREDITS_4), 1);
        assertThat(Requester.canSend(s)).as("no acknowledgement").isFalse();
        answer(Opcode.RC_ATOMIC_ACKNOWLEDGE, FIRST, CREDITS_4, 1);
        assertThat(Requester.canSend(s)).as("repeated answer of an atomic").isFalse();
    }

    @Test
    void responsesOfReadsAndAtomicsAnnounceToo() {
        admit(WrOpcode.ATOMIC_FETCH_AND_ADD, 8, 1);
        sendAll();
        answer(Opcode.RC_ATOMIC_ACKNOWLEDGE, FIRST, CREDITS_4, 1);
        admit(WrOpcode.SEND, 10, 5);
        assertThat(sendAll()).isEqualTo(5);
        admit(WrOpcode.RDMA_READ, 0, 1);
        sendAll();
        answer(Opcode.RC_RDMA_READ_RESPONSE_ONLY, FIRST + 6, 6, 7);
        admit(WrOpcode.SEND, 10, 8);
        assertThat(sendAll()).isEqualTo(8);
    }

    @Test
    void theQuestionIsAskedAgainAfterTheWait() {
        admit(WrOpcode.SEND, 10, 2);
        sendAll();
        ack(FIRST, Syndrome.rnr(1), 0);
        assertThat(result.action).isEqualTo(Action.WAIT_RNR);
        assertThat(sendAll()).isZero();
        Requester.rnrExpired(s);
        assertThat(sendAll()).isOne();
        assertThat(packet.psn).isEqualTo(FIRST);
    }

    @Test
    void theLimitWraps() {
        admit(WrOpcode.SEND, 10, 1);
        sendAll();
        // A peer that counts from just below the wrap.
        s.lsn = Psn.MASK;
        ack(FIRST, CREDITS_4, Psn.MASK - 1);
        assertThat(s.lsn).isEqualTo(2);
    }

    @Test
    void withoutTheOptionAnnouncementsMeanNothing() {
        s.modify(RequesterSpec.of(QpType.RC, 1024, 0x11, 0x12).withCredits(false));
        admit(WrOpcode.SEND, 10, 2);
        sendAll();
        ack(FIRST, 0, 1);
        admit(WrOpcode.SEND, 3000, 3);
        assertThat(sendAll()).isEqualTo(9);
    }

    @Test
    void unreliableSendsAreNotLimited() {
        s.connect(RequesterSpec.of(QpType.UC, 1024, 0x11, 0x12).withCredits(true));
        admit(WrOpcode.SEND, 10, 4);
        assertThat(sendAll()).isEqualTo(4);
    }

    @Test
    void theLimitIsPartOfASnapshotAndEndsWithTheConnection() {
        admit(WrOpcode.SEND, 10, 1);
        sendAll();
        ack(FIRST, CREDITS_4, 1);
        Snapshot snapshot = new Snapshot();
        s.save(snapshot);
        s = new RequesterState(16);
        s.load(snapshot);
        admit(WrOpcode.SEND, 10, 7);
        assertThat(sendAll()).isEqualTo(5);
        connect();
        admit(WrOpcode.SEND, 10, 7);
        assertThat(sendAll()).isOne();
        ack(FIRST, Syndrome.ACK, 1);
        snapshot = new Snapshot();
        s.save(snapshot);
        s = new RequesterState(16);
        s.load(snapshot);
        assertThat(sendAll()).isEqualTo(6);
        connect();
        admit(WrOpcode.SEND, 10, 7);
        assertThat(sendAll()).isOne();
    }
}
