package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.RequestDecision.Drop;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One test for each rule of the receive side. Path MTU 1024, first PSN 100. */
class ResponderTest {
    private static final int FIRST = 100;
    private static final int KEY = 0x1234;

    private final ResponderState s = new ResponderState();
    private final RequestDecision d = new RequestDecision();
    private final Env env = new Env();

    private static final class Env implements ResponderEnv {
        private int refusal = GRANTED;
        private int checks;
        private long checkedLength;
        private boolean available = true;
        private long capacity = 1 << 20;

        @Override
        public int checkRemote(int rkey, long va, long length, int access) {
            checks++;
            checkedLength = length;
            return refusal;
        }

        @Override
        public boolean receiveAvailable() {
            return available;
        }

        @Override
        public long receiveCapacity() {
            return capacity;
        }
    }

    @BeforeEach
    void connect() {
        s.connect(spec(QpType.RC));
    }

    private static ResponderSpec spec(QpType type) {
        return ResponderSpec.of(type, 1024, 0x21).withFirstPsn(FIRST);
    }

    private RocePacket packet(Opcode opcode, int psn, int payload) {
        RocePacket in = new RocePacket();
        in.opcode = opcode.code();
        in.psn = psn;
        in.setPayloadLength(payload);
        in.va = 0x1000;
        in.rkey = KEY;
        in.dmaLen = payload;
        in.ackReq = opcode.endsMessage();
        in.imm = 0xABCD;
        in.invalidateKey = 0x77;
        return in;
    }

    private void feed(RocePacket in) {
        Responder.onRequest(s, in, env, d);
    }

    private void feed(Opcode opcode, int psn, int payload) {
        feed(packet(opcode, psn, payload));
    }

    private void feedWrite(Opcode opcode, int psn, int payload, long total) {
        RocePacket in = packet(opcode, psn, payload);
        in.dmaLen = total;
        feed(in);
    }

    private void feedRead(int psn, long va, long length) {
        RocePacket in = packet(Opcode.RC_RDMA_READ_REQUEST, psn, 0);
        in.va = va;
        in.dmaLen = length;
        feed(in);
    }

    private void assertRefused(int syndrome) {
        assertThat(d.action).isEqualTo(Action.NAK);
        assertThat(d.syndrome).isEqualTo(syndrome);
        assertThat(d.qpError).isTrue();
        assertThat(d.ackDue).isFalse();
        assertThat(d.takesReceive).isEqualTo(d.receiveStatus != WcStatus.SUCCESS);
    }

    @Test
    void sendTakesAReceiveAtItsFirstPacketAndCompletesItAtItsLast() {
        feed(Opcode.RC_SEND_FIRST, FIRST, 1024);
        assertThat(d.action).isEqualTo(Action.SEND);
        assertThat(d.takesReceive).isTrue();
        assertThat(d.completesReceive).isFalse();
        assertThat(d.ackDue).isFalse();
        assertThat(d.msn).isZero();
        feed(Opcode.RC_SEND_MIDDLE, FIRST + 1, 1024);
        assertThat(d.takesReceive).isFalse();
        assertThat(d.offset).isEqualTo(1024);
        RocePacket last = packet(Opcode.RC_SEND_LAST_WITH_IMMEDIATE, FIRST + 2, 7);
        last.solicited = true;
        feed(last);
        assertThat(d.offset).isEqualTo(2048);
        assertThat(d.length).isEqualTo(7);
        assertThat(d.completesReceive).isTrue();
        assertThat(d.byteLength).isEqualTo(2055);
        assertThat(d.hasImm).isTrue();
        assertThat(d.immOrKey).isEqualTo(0xABCD);
        assertThat(d.solicited).isTrue();
        assertThat(d.receiveOfWrite).isFalse();
        assertThat(d.ackDue).isTrue();
        assertThat(d.ackPsn).isEqualTo(FIRST + 2);
        assertThat(d.msn).isEqualTo(1);
        assertThat(s.expectedPsn()).isEqualTo(FIRST + 3);
        assertThat(s.inMessage()).isFalse();
    }

    @Test
    void emptySendStillTakesAReceive() {
        feed(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, FIRST, 0);
        assertThat(d.takesReceive).isTrue();
        assertThat(d.completesReceive).isTrue();
        assertThat(d.byteLength).isZero();
        assertThat(d.hasInvalidate).isTrue();
        assertThat(d.immOrKey).isEqualTo(0x77);
    }

    @Test
    void noAcknowledgementWithoutARequestForIt() {
        RocePacket in = packet(Opcode.RC_SEND_ONLY, FIRST, 5);
        in.ackReq = false;
        feed(in);
        assertThat(d.ackDue).isFalse();
    }

    @Test
    void writeIsCheckedOnceForTheWholeMessageAndPlacedInOrder() {
        feedWrite(Opcode.RC_RDMA_WRITE_FIRST, FIRST, 1024, 2100);
        assertThat(env.checkedLength).isEqualTo(2100);
        assertThat(d.action).isEqualTo(Action.WRITE);
        assertThat(d.va).isEqualTo(0x1000);
        feed(Opcode.RC_RDMA_WRITE_MIDDLE, FIRST + 1, 1024);
        assertThat(d.va).isEqualTo(0x1400);
        assertThat(d.rkey).isEqualTo(KEY);
        feed(Opcode.RC_RDMA_WRITE_LAST, FIRST + 2, 52);
        assertThat(d.va).isEqualTo(0x1800);
        assertThat(d.completesReceive).isFalse();
        assertThat(d.takesReceive).isFalse();
        assertThat(d.msn).isEqualTo(1);
        assertThat(env.checks).isEqualTo(1);
    }

    @Test
    void writeWithImmediateTakesTheReceiveAtItsLastPacket() {
        feedWrite(Opcode.RC_RDMA_WRITE_FIRST, FIRST, 1024, 1030);
        assertThat(d.takesReceive).isFalse();
        feed(Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, FIRST + 1, 6);
        assertThat(d.takesReceive).isTrue();
        assertThat(d.completesReceive).isTrue();
        assertThat(d.receiveOfWrite).isTrue();
        assertThat(d.byteLength).isEqualTo(1030);
        assertThat(d.immOrKey).isEqualTo(0xABCD);
    }

    @Test
    void emptyWriteAndReadNeedNoKey() {
        env.refusal = Syndrome.NAK_REMOTE_ACCESS;
        feedWrite(Opcode.RC_RDMA_WRITE_ONLY, FIRST, 0, 0);
        assertThat(d.action).isEqualTo(Action.WRITE);
        feedRead(FIRST + 1, 0, 0);
        assertThat(d.action).isEqualTo(Action.READ);
        assertThat(d.responses).isEqualTo(1);
        assertThat(env.checks).isZero();
    }

    @Test
    void packetsFromTheFutureAreRefusedOnce() {
        feed(Opcode.RC_SEND_ONLY, FIRST + 1, 5);
        assertThat(d.action).isEqualTo(Action.NAK);
        assertThat(d.syndrome).isEqualTo(Syndrome.NAK_SEQUENCE);
        assertThat(d.ackPsn).isEqualTo(FIRST);
        assertThat(d.qpError).isFalse();
        feed(Opcode.RC_SEND_ONLY, FIRST + 2, 5);
        assertThat(d.action).isEqualTo(Action.DROP);
        assertThat(d.drop).isEqualTo(Drop.OUT_OF_SEQUENCE);
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.action).isEqualTo(Action.SEND);
        feed(Opcode.RC_SEND_ONLY, FIRST + 2, 5);
        assertThat(d.action).as("a new loss, a new refusal").isEqualTo(Action.NAK);
        assertThat(d.ackPsn).isEqualTo(FIRST + 1);
        assertThat(d.msn).isEqualTo(1);
    }

    @Test
    void noReceiveMeansReceiverNotReadyAndSilenceBehindIt() {
        env.available = false;
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.action).isEqualTo(Action.NAK);
        assertThat(d.syndrome).isEqualTo(Syndrome.rnr(12));
        assertThat(d.ackPsn).isEqualTo(FIRST);
        assertThat(d.qpError).isFalse();
        assertThat(d.takesReceive).isFalse();
        assertThat(d.msn).isZero();
        feed(Opcode.RC_SEND_ONLY, FIRST + 1, 5);
        assertThat(d.drop).isEqualTo(Drop.OUT_OF_SEQUENCE);
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.syndrome).as("asked again").isEqualTo(Syndrome.rnr(12));
        env.available = true;
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.action).isEqualTo(Action.SEND);
    }

    @Test
    void writeWithImmediateCanMeetNoReceiveAtItsLastPacket() {
        feedWrite(Opcode.RC_RDMA_WRITE_FIRST, FIRST, 1024, 1030);
        env.available = false;
        feed(Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, FIRST + 1, 6);
        assertThat(d.syndrome).isEqualTo(Syndrome.rnr(12));
        assertThat(d.ackPsn).isEqualTo(FIRST + 1);
        env.available = true;
        feed(Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, FIRST + 1, 6);
        assertThat(d.byteLength).isEqualTo(1030);
    }

    @Test
    void opcodeSequence() {
        refusedAfter(null, Opcode.RC_SEND_MIDDLE);
        refusedAfter(null, Opcode.RC_RDMA_WRITE_LAST);
        refusedAfter(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_FIRST);
        refusedAfter(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_ONLY);
        refusedAfter(Opcode.RC_SEND_FIRST, Opcode.RC_RDMA_WRITE_MIDDLE);
        refusedAfter(Opcode.RC_SEND_FIRST, Opcode.RC_RDMA_READ_REQUEST);
        refusedAfter(Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_SEND_LAST);
        refusedAfter(Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_FETCH_ADD);
        refusedAfter(Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_RDMA_WRITE_ONLY);
    }

    private void refusedAfter(@Nullable Opcode before, Opcode opcode) {
        s.connect(spec(QpType.RC));
        int psn = FIRST;
        if (before != null) {
            feedWrite(before, psn++, 1024, 4000);
            assertThat(d.action).isNotEqualTo(Action.NAK);
        }
        feed(opcode, psn, opcode.hasPayload() ? 1024 : 0);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        assertThat(d.ackPsn).isEqualTo(psn);
    }

    @Test
    void reservedAndUnsupportedOpcodesAreInvalid() {
        for (int code : new int[] {0x15, 0x18, 0x1C, 0x1D, 0x1F}) {
            s.connect(spec(QpType.RC));
            RocePacket in = packet(Opcode.RC_SEND_ONLY, FIRST, 8);
            in.opcode = code;
            feed(in);
            assertRefused(Syndrome.NAK_INVALID_REQUEST);
            in.psn = FIRST - 1;
            feed(in);
            assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
        }
    }

    @Test
    void otherServicesAndResponsesAreDropped() {
        for (Opcode opcode :
                new Opcode[] {Opcode.UD_SEND_ONLY, Opcode.UC_SEND_ONLY, Opcode.RC_ACKNOWLEDGE, Opcode.CNP}) {
            feed(opcode, FIRST, 0);
            assertThat(d.drop).isEqualTo(Drop.WRONG_SERVICE);
        }
        s.connect(spec(QpType.UC));
        feed(Opcode.UD_SEND_ONLY, FIRST, 0);
        assertThat(d.drop).isEqualTo(Drop.WRONG_SERVICE);
        assertThat(s.expectedPsn()).isEqualTo(FIRST);
    }

    @Test
    void rightsOfTheQueuePair() {
        s.connect(spec(QpType.RC).withAccess(0));
        feed(Opcode.RC_RDMA_WRITE_ONLY, FIRST, 5);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        feedRead(FIRST, 0x1000, 10);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        feed(Opcode.RC_FETCH_ADD, FIRST, 0);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        assertThat(d.action).isEqualTo(Action.SEND);
        assertThat(env.checks).isZero();
    }

    @Test
    void lengths() {
        invalid(Opcode.RC_SEND_FIRST, 1023, 1023);
        invalid(Opcode.RC_SEND_ONLY, 1025, 1025);
        invalid(Opcode.RC_RDMA_WRITE_FIRST, 1000, 4000);
        invalid(Opcode.RC_RDMA_WRITE_FIRST, 1024, 1024);
        invalid(Opcode.RC_RDMA_WRITE_ONLY, 100, 101);
        invalid(Opcode.RC_RDMA_WRITE_ONLY, 100, 99);
        invalid(Opcode.RC_RDMA_WRITE_FIRST, 1024, (1L << 31) + 1);
        invalid(Opcode.RC_RDMA_READ_REQUEST, 0, (1L << 31) + 1);
    }

    private void invalid(Opcode opcode, int payload, long total) {
        s.connect(spec(QpType.RC));
        feedWrite(opcode, FIRST, payload, total);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        assertThat(s.expectedPsn()).isEqualTo(FIRST);
    }

    @Test
    void writeMustBringExactlyItsLength() {
        for (int length : new int[] {0, 975, 977, 1024}) {

            s.connect(spec(QpType.RC));
            feedWrite(Opcode.RC_RDMA_WRITE_FIRST, FIRST, 1024, 2000);
            feed(Opcode.RC_RDMA_WRITE_LAST, FIRST + 1, length);
            assertRefused(Syndrome.NAK_INVALID_REQUEST);
        }
        s.connect(spec(QpType.RC));
        feedWrite(Opcode.RC_RDMA_WRITE_FIRST, FIRST, 1024, 2000);
        feed(Opcode.RC_RDMA_WRITE_MIDDLE, FIRST + 1, 1024);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void messageLongerThanTheReceiveBuffer() {
        env.capacity = 64;
        feed(Opcode.RC_SEND_ONLY, FIRST, 65);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        assertThat(d.receiveStatus).isEqualTo(WcStatus.LOC_LEN_ERR);
        assertThat(d.completesReceive).isFalse();
        s.connect(spec(QpType.RC));
        feed(Opcode.RC_SEND_ONLY, FIRST, 64);
        assertThat(d.completesReceive).isTrue();
    }

    @Test
    void keyIsCheckedBeforeAnythingIsWritten() {
        env.refusal = Syndrome.NAK_REMOTE_ACCESS;
        feedWrite(Opcode.RC_RDMA_WRITE_FIRST, FIRST, 1024, 4000);
        assertRefused(Syndrome.NAK_REMOTE_ACCESS);
        feedRead(FIRST, 0x1000, 10);
        assertRefused(Syndrome.NAK_REMOTE_ACCESS);
        feed(Opcode.RC_COMPARE_SWAP, FIRST, 0);
        assertRefused(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(d.msn).isZero();
    }

    @Test
    void readReservesItsPsnsAndCountsAtOnce() {
        feedRead(FIRST, 0x2000, 2049);
        assertThat(d.action).isEqualTo(Action.READ);
        assertThat(d.responses).isEqualTo(3);
        assertThat(d.va).isEqualTo(0x2000);
        assertThat(d.length).isEqualTo(2049);
        assertThat(d.ackPsn).isEqualTo(FIRST);
        assertThat(d.msn).isEqualTo(1);
        assertThat(d.ackDue).isFalse();
        assertThat(s.expectedPsn()).isEqualTo(FIRST + 3);
    }

    @Test
    void noResourcesMeansNoReads() {
        s.connect(spec(QpType.RC).withMaxDestRdAtomic(0));
        feedRead(FIRST, 0x2000, 10);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        feed(Opcode.RC_FETCH_ADD, FIRST, 0);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void unalignedAtomicIsInvalid() {
        RocePacket in = packet(Opcode.RC_FETCH_ADD, FIRST, 0);
        in.va = 0x1004;
        feed(in);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
    }

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
        assertThat(d.drop).as("its answer is on the way").isEqualTo(Drop.DUPLICATE);
        Responder.atomicDone(s, resource, FIRST, 41);
        feed(in);
        assertThat(d.action).isEqualTo(Action.REPLAY_ATOMIC);
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
        assertThat(d.drop).isEqualTo(Drop.DUPLICATE);
    }

    @Test
    void lateRefusalDoesNotCountTheMessage() {
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        feed(Opcode.RC_RDMA_WRITE_ONLY, FIRST + 1, 5);
        Responder.refuse(d, Syndrome.NAK_REMOTE_OPERATION);
        assertRefused(Syndrome.NAK_REMOTE_OPERATION);
        assertThat(d.msn).isEqualTo(1);
        assertThat(d.ackPsn).isEqualTo(FIRST + 1);
    }

    @Test
    void msnAndPsnWrap() {
        s.connect(spec(QpType.RC).withFirstPsn(Psn.MASK));
        feed(Opcode.RC_SEND_ONLY, Psn.MASK, 5);
        feed(Opcode.RC_SEND_ONLY, 0, 5);
        assertThat(s.expectedPsn()).isEqualTo(1);
        feed(Opcode.RC_SEND_ONLY, Psn.MASK, 5);
        assertThat(d.action).isEqualTo(Action.REACK);
    }

    @Test
    void unreliableMessageWithAGapIsDroppedUpToTheNextStart() {
        s.connect(spec(QpType.UC));
        feed(Opcode.UC_SEND_FIRST, FIRST, 1024);
        assertThat(d.takesReceive).isTrue();
        feed(Opcode.UC_SEND_MIDDLE, FIRST + 2, 1024);
        assertThat(d.drop).isEqualTo(Drop.MESSAGE_LOST);
        feed(Opcode.UC_SEND_LAST, FIRST + 3, 10);
        assertThat(d.drop).isEqualTo(Drop.MESSAGE_LOST);
        feed(Opcode.UC_SEND_ONLY, FIRST + 9, 10);
        assertThat(d.action).isEqualTo(Action.SEND);
        assertThat(d.takesReceive).as("the one of the lost message serves").isFalse();
        assertThat(d.completesReceive).isTrue();
        assertThat(d.offset).isZero();
        assertThat(d.byteLength).isEqualTo(10);
        assertThat(d.ackDue).isFalse();
        assertThat(s.expectedPsn()).isEqualTo(FIRST + 10);
    }

    @Test
    void unreliableStartInsideAMessageStartsAnew() {
        s.connect(spec(QpType.UC));
        feedWrite(Opcode.UC_RDMA_WRITE_FIRST, FIRST, 1024, 3000);
        feed(Opcode.UC_RDMA_WRITE_ONLY, FIRST + 1, 5);
        assertThat(d.action).isEqualTo(Action.WRITE);
        assertThat(d.length).isEqualTo(5);
        assertThat(s.inMessage()).isFalse();
    }

    @Test
    void unreliableRefusalsAreSilent() {
        s.connect(spec(QpType.UC));
        env.refusal = Syndrome.NAK_REMOTE_ACCESS;
        feedWrite(Opcode.UC_RDMA_WRITE_FIRST, FIRST, 1024, 2000);
        assertThat(d.drop).isEqualTo(Drop.ACCESS);
        feed(Opcode.UC_RDMA_WRITE_LAST, FIRST + 1, 976);
        assertThat(d.drop).isEqualTo(Drop.MESSAGE_LOST);
        env.available = false;
        feed(Opcode.UC_SEND_ONLY, FIRST + 2, 5);
        assertThat(d.drop).isEqualTo(Drop.NO_RECEIVE);
        assertThat(d.takesReceive).isFalse();
        env.available = true;
        env.capacity = 4;
        feed(Opcode.UC_SEND_ONLY, FIRST + 3, 5);
        assertThat(d.drop).isEqualTo(Drop.INVALID);
        assertThat(d.takesReceive).isFalse();
        assertThat(d.receiveStatus).isEqualTo(WcStatus.SUCCESS);
        feed(Opcode.UC_SEND_MIDDLE, FIRST + 4, 1024);
        assertThat(d.drop).isEqualTo(Drop.MESSAGE_LOST);
    }

    @Test
    void datagramIgnoresThePsnAndLeavesRoomForTheGrh() {
        s.connect(spec(QpType.UD));
        feed(Opcode.UD_SEND_ONLY_WITH_IMMEDIATE, 0x777777, 256);
        assertThat(d.action).isEqualTo(Action.SEND);
        assertThat(d.offset).isEqualTo(40);
        assertThat(d.length).isEqualTo(256);
        assertThat(d.byteLength).isEqualTo(296);
        assertThat(d.takesReceive).isTrue();
        assertThat(d.completesReceive).isTrue();
        assertThat(d.hasImm).isTrue();
        assertThat(d.ackDue).isFalse();
    }

    @Test
    void datagramThatDoesNotFitIsDropped() {
        s.connect(spec(QpType.UD));
        env.capacity = 295;
        feed(Opcode.UD_SEND_ONLY, 0, 256);
        assertThat(d.drop).isEqualTo(Drop.INVALID);
        assertThat(d.qpError).isFalse();
        feed(Opcode.UD_SEND_ONLY, 0, 1025);
        assertThat(d.drop).isEqualTo(Drop.INVALID);
        env.available = false;
        feed(Opcode.UD_SEND_ONLY, 0, 10);
        assertThat(d.drop).isEqualTo(Drop.NO_RECEIVE);
    }

    @Test
    void answers() {
        RocePacket out = new RocePacket();
        Responder.fillAck(s, 7, Syndrome.rnr(3), 9, out);
        assertThat(Opcode.of(out.opcode)).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(out.syndrome).isEqualTo(0x23);
        assertThat(out.msn).isEqualTo(9);
        assertThat(out.psn).isEqualTo(7);
        assertThat(out.destQp).isEqualTo(0x21);
        assertThat(out.ackReq).isFalse();
        Responder.fillAtomicAck(s, 8, 10, 55, out);
        assertThat(Opcode.of(out.opcode)).isEqualTo(Opcode.RC_ATOMIC_ACKNOWLEDGE);
        assertThat(out.original).isEqualTo(55);
        assertThat(out.syndrome).isEqualTo(Syndrome.ACK);
    }
}
