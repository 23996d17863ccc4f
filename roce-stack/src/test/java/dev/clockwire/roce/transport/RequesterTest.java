package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.transport.ResponseResult.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One test for each rule of the send side. Path MTU 1024, first PSN 100. */
class RequesterTest {
    private static final int FIRST = 100;

    private final RequesterState s = new RequesterState(8);
    private final ResponseResult result = new ResponseResult();
    private final RocePacket packet = new RocePacket();

    @BeforeEach
    void connect() {
        s.connect(spec());
    }

    private static RequesterSpec spec() {
        return RequesterSpec.of(QpType.RC, 1024, 0x11, 0x12).withFirstPsn(FIRST).withRetries(2, 2);
    }

    private long admit(WrOpcode opcode, long length) {
        SendWork work = new SendWork();
        work.opcode = opcode;
        work.length = length;
        return Requester.admit(s, work);
    }

    private long admitFenced(WrOpcode opcode) {
        SendWork work = new SendWork();
        work.opcode = opcode;
        work.fence = true;
        return Requester.admit(s, work);
    }

    private int sendAll() {
        int sent = 0;
        while (Requester.canSend(s)) {
            Requester.fillNext(s, packet);
            sent++;
        }
        return sent;
    }

    private void answer(Opcode opcode, int psn, int syndrome, int payload) {
        RocePacket in = new RocePacket();
        in.opcode = opcode.code();
        in.psn = psn;
        in.syndrome = syndrome;
        in.original = 77;
        in.setPayloadLength(payload);
        Requester.onResponse(s, in, result);
    }

    private void ack(int psn) {
        answer(Opcode.RC_ACKNOWLEDGE, psn, Syndrome.ACK, 0);
    }

    private void nak(int psn, int syndrome) {
        answer(Opcode.RC_ACKNOWLEDGE, psn, syndrome, 0);
    }

    private void response(Opcode opcode, int psn, int payload) {
        answer(opcode, psn, Syndrome.ACK, payload);
    }

    @Test
    void oneAckCoversEverythingBeforeIt() {
        admit(WrOpcode.SEND, 0);
        admit(WrOpcode.RDMA_WRITE, 3000);
        admit(WrOpcode.SEND, 10);
        sendAll();
        ack(FIRST + 3);
        assertThat(result.action).isEqualTo(Action.NONE);
        assertThat(result.firstCompleted).isZero();
        assertThat(result.completed).isEqualTo(2);
        assertThat(result.progress).isTrue();
        assertThat(s.head()).isEqualTo(2);
        assertThat(Requester.awaitsAck(s)).isTrue();
        ack(FIRST + 4);
        assertThat(result.firstCompleted).isEqualTo(2);
        assertThat(result.completed).isEqualTo(1);
        assertThat(Requester.awaitsAck(s)).isFalse();
    }

    @Test
    void ackInsideAMessageIsProgressAndCompletesNothing() {
        admit(WrOpcode.RDMA_WRITE, 3000);
        sendAll();
        ack(FIRST + 1);
        assertThat(result.completed).isZero();
        assertThat(result.progress).isTrue();
        assertThat(s.unackedPsn()).isEqualTo(FIRST + 2);
    }

    @Test
    void oldAndUnsentPsnsAreIgnored() {
        admit(WrOpcode.SEND, 1);
        admit(WrOpcode.SEND, 1);
        Requester.fillNext(s, packet);
        ack(FIRST + 1);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        ack(FIRST);
        ack(FIRST);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        nak(FIRST, Syndrome.NAK_REMOTE_ACCESS);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        assertThat(s.failed()).isFalse();
    }

    @Test
    void reservedSyndromeIsIgnored() {
        admit(WrOpcode.SEND, 1);
        sendAll();
        nak(FIRST, 0x66);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        nak(FIRST, 0x45);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        assertThat(s.unackedPsn()).isEqualTo(FIRST);
    }

    @Test
    void requestsAreNoResponses() {
        admit(WrOpcode.SEND, 1);
        sendAll();
        response(Opcode.RC_SEND_ONLY, FIRST, 1);
        assertThat(result.action).isEqualTo(Action.IGNORE);
    }

    @Test
    void sequenceNakGoesBackToTheExpectedPacketAndAcknowledgesTheOthers() {
        admit(WrOpcode.SEND, 1);
        admit(WrOpcode.RDMA_WRITE, 4096);
        sendAll();
        nak(FIRST + 2, Syndrome.NAK_SEQUENCE);
        assertThat(result.action).isEqualTo(Action.RETRY);
        assertThat(result.completed).isEqualTo(1);
        assertThat(s.cursorEntry()).isEqualTo(1);
        assertThat(s.cursorPacket()).isEqualTo(1);
        assertThat(s.rewinds()).isEqualTo(1);
        Requester.fillNext(s, packet);
        assertThat(Opcode.of(packet.opcode)).isEqualTo(Opcode.RC_RDMA_WRITE_MIDDLE);
        assertThat(packet.psn).isEqualTo(FIRST + 2);
    }

    @Test
    void retryAtZeroFailsAndProgressReloadsTheCounter() {
        admit(WrOpcode.SEND, 4096);
        sendAll();
        Requester.onTimeout(s, result);
        assertThat(result.action).isEqualTo(Action.RETRY);
        sendAll();
        ack(FIRST);
        for (int i = 0; i < 2; i++) {
            Requester.onTimeout(s, result);
            assertThat(result.action).isEqualTo(Action.RETRY);
            assertThat(sendAll()).isEqualTo(3);
        }
        Requester.onTimeout(s, result);
        assertThat(result.action).isEqualTo(Action.FAIL);
        assertThat(result.status).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(s.failed()).isTrue();
        assertThat(Requester.canSend(s)).isFalse();
        ack(FIRST + 3);
        assertThat(result.action).isEqualTo(Action.IGNORE);
    }

    @Test
    void timeoutWithNothingOutstandingMeansNothing() {
        admit(WrOpcode.SEND, 1);
        Requester.onTimeout(s, result);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        assertThat(s.rewinds()).isZero();
    }

    @Test
    void lateAckAfterGoingBackMovesTheCursorOn() {
        admit(WrOpcode.SEND, 2048);
        admit(WrOpcode.SEND, 2048);
        sendAll();
        Requester.onTimeout(s, result);
        assertThat(s.cursorEntry()).isZero();
        ack(FIRST + 2);
        assertThat(result.completed).isEqualTo(1);
        assertThat(s.cursorEntry()).isEqualTo(1);
        assertThat(s.cursorPacket()).isEqualTo(1);
        ack(FIRST + 3);
        assertThat(Requester.canSend(s)).isFalse();
    }

    @Test
    void readNeverCompletesByAPlainAck() {
        admit(WrOpcode.RDMA_READ, 2048);
        admit(WrOpcode.SEND, 1);
        sendAll();
        ack(FIRST + 2);
        assertThat(result.action).as("implied NAK").isEqualTo(Action.RETRY);
        assertThat(result.completed).isZero();
        assertThat(s.cursorEntry()).isZero();
        Requester.fillNext(s, packet);
        assertThat(Opcode.of(packet.opcode)).isEqualTo(Opcode.RC_RDMA_READ_REQUEST);
    }

    @Test
    void oneLossIsRetriedOnce() {
        admit(WrOpcode.RDMA_READ, 10);
        admit(WrOpcode.SEND, 1);
        admit(WrOpcode.SEND, 1);
        sendAll();
        ack(FIRST + 1);
        assertThat(result.action).isEqualTo(Action.RETRY);
        ack(FIRST + 2);
        assertThat(result.action).isEqualTo(Action.IGNORE);
        assertThat(s.rewinds()).isEqualTo(1);
    }

    @Test
    void atomicIsAnImpliedNakToo() {
        admit(WrOpcode.ATOMIC_FETCH_AND_ADD, 8);
        admit(WrOpcode.RDMA_READ, 8);
        sendAll();
        response(Opcode.RC_RDMA_READ_RESPONSE_ONLY, FIRST + 1, 8);
        assertThat(result.action).isEqualTo(Action.RETRY);
        assertThat(result.place).isFalse();
        assertThat(s.cursorEntry()).isZero();
    }

    @Test
    void responseAcknowledgesWhatIsBeforeIt() {
        admit(WrOpcode.RDMA_WRITE, 5000);
        admit(WrOpcode.RDMA_READ, 100);
        sendAll();
        response(Opcode.RC_RDMA_READ_RESPONSE_ONLY, FIRST + 5, 100);
        assertThat(result.completed).isEqualTo(2);
        assertThat(result.place).isTrue();
        assertThat(result.placeEntry).isEqualTo(1);
        assertThat(result.placeOffset).isZero();
        assertThat(result.placeLength).isEqualTo(100);
        assertThat(s.outstandingReads()).isZero();
    }

    @Test
    void readIsPlacedPacketByPacket() {
        admit(WrOpcode.RDMA_READ, 2500);
        sendAll();
        response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, FIRST, 1024);
        assertThat(result.placeOffset).isZero();
        assertThat(result.completed).isZero();
        response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, FIRST + 1, 1024);
        assertThat(result.placeOffset).isEqualTo(1024);
        response(Opcode.RC_RDMA_READ_RESPONSE_LAST, FIRST + 2, 452);
        assertThat(result.placeOffset).isEqualTo(2048);
        assertThat(result.placeLength).isEqualTo(452);
        assertThat(result.completed).isEqualTo(1);
    }

    @Test
    void gapInsideAReadRestartsAtTheMissingResponse() {
        admit(WrOpcode.RDMA_READ, 4096);
        sendAll();
        response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, FIRST, 1024);
        response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, FIRST + 2, 1024);
        assertThat(result.action).isEqualTo(Action.RETRY);
        assertThat(result.place).isFalse();
        Requester.fillNext(s, packet);
        assertThat(packet.psn).isEqualTo(FIRST + 1);
        assertThat(packet.dmaLen).isEqualTo(3072);
        assertThat(packet.va).isEqualTo(1024);
    }

    @Test
    void restartedReadMayAnswerWithFirstOrWithMiddle() {
        for (Opcode opcode : new Opcode[] {Opcode.RC_RDMA_READ_RESPONSE_FIRST, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE}) {
            gapInsideAReadRestartsAtTheMissingResponse();
            response(opcode, FIRST + 1, 1024);
            assertThat(result.place).as("%s", opcode).isTrue();
            assertThat(result.placeOffset).isEqualTo(1024);
            s.connect(spec());
        }
    }

    @Test
    void restartedReadMayAnswerWithOnlyOrWithLast() {
        for (Opcode opcode : new Opcode[] {Opcode.RC_RDMA_READ_RESPONSE_ONLY, Opcode.RC_RDMA_READ_RESPONSE_LAST}) {
            admit(WrOpcode.RDMA_READ, 1500);
            sendAll();
            response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, FIRST, 1024);
            Requester.onTimeout(s, result);
            Requester.fillNext(s, packet);
            response(opcode, FIRST + 1, 476);
            assertThat(result.completed).as("%s", opcode).isEqualTo(1);
            s.connect(spec());
        }
    }

    @Test
    void lateResponseOfAReadNotYetSentAgainShortensTheRestart() {
        admit(WrOpcode.RDMA_READ, 3000);
        sendAll();
        Requester.onTimeout(s, result);
        response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, FIRST, 1024);
        assertThat(result.place).isTrue();
        Requester.fillNext(s, packet);
        assertThat(packet.psn).isEqualTo(FIRST + 1);
        assertThat(packet.dmaLen).isEqualTo(1976);
    }

    @Test
    void responsesOutOfOrderOrOfWrongLengthAreBad() {
        bad(WrOpcode.RDMA_READ, 3000, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 1024);
        bad(WrOpcode.RDMA_READ, 3000, Opcode.RC_RDMA_READ_RESPONSE_FIRST, 1020);
        bad(WrOpcode.RDMA_READ, 3000, Opcode.RC_RDMA_READ_RESPONSE_ONLY, 1024);
        bad(WrOpcode.RDMA_READ, 1000, Opcode.RC_RDMA_READ_RESPONSE_LAST, 1000);
        bad(WrOpcode.RDMA_READ, 1000, Opcode.RC_RDMA_READ_RESPONSE_FIRST, 1024);
        bad(WrOpcode.RDMA_READ, 1000, Opcode.RC_ATOMIC_ACKNOWLEDGE, 0);
        bad(WrOpcode.SEND, 10, Opcode.RC_RDMA_READ_RESPONSE_ONLY, 10);
        bad(WrOpcode.ATOMIC_FETCH_AND_ADD, 8, Opcode.RC_RDMA_READ_RESPONSE_ONLY, 8);
    }

    private void bad(WrOpcode operation, int length, Opcode response, int payload) {
        admit(operation, length);
        sendAll();
        response(response, FIRST, payload);
        assertThat(result.action).as("%s", response).isEqualTo(Action.FAIL);
        assertThat(result.status).isEqualTo(WcStatus.BAD_RESP_ERR);
        assertThat(result.place).isFalse();
        s.connect(spec());
    }

    @Test
    void firstAgainInsideAReadIsBad() {
        admit(WrOpcode.RDMA_READ, 3000);
        sendAll();
        response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, FIRST, 1024);
        response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, FIRST + 1, 1024);
        assertThat(result.status).isEqualTo(WcStatus.BAD_RESP_ERR);
    }

    @Test
    void atomicAnswerBringsTheOriginal() {
        admit(WrOpcode.ATOMIC_CMP_AND_SWP, 8);
        sendAll();
        response(Opcode.RC_ATOMIC_ACKNOWLEDGE, FIRST, 0);
        assertThat(result.atomic).isTrue();
        assertThat(result.original).isEqualTo(77);
        assertThat(result.placeLength).isEqualTo(8);
        assertThat(result.completed).isEqualTo(1);
    }

    @Test
    void finalNaksFailTheirWorkRequestAndCompleteTheEarlierOnes() {
        int[] codes = {0x61, 0x62, 0x63};
        WcStatus[] statuses = {WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR, WcStatus.REM_OP_ERR};
        for (int i = 0; i < codes.length; i++) {
            admit(WrOpcode.SEND, 1);
            admit(WrOpcode.RDMA_WRITE, 3000);
            sendAll();
            nak(FIRST + 1, codes[i]);
            assertThat(result.completed).isEqualTo(1);
            assertThat(result.action).isEqualTo(Action.FAIL);
            assertThat(result.failedEntry).isEqualTo(1);
            assertThat(result.status).isEqualTo(statuses[i]);
            s.connect(spec());
        }
    }

    @Test
    void receiverNotReadyWaitsThenGoesBackThenGivesUp() {
        admit(WrOpcode.SEND, 1);
        admit(WrOpcode.SEND, 2048);
        sendAll();
        for (int i = 0; i < 2; i++) {
            nak(FIRST + 1, Syndrome.rnr(1));
            assertThat(result.action).isEqualTo(Action.WAIT_RNR);
            assertThat(result.rnrWaitPs).isEqualTo(10_000_000);
            assertThat(Requester.canSend(s)).isFalse();
            assertThat(Requester.awaitsAck(s)).isFalse();
            nak(FIRST + 1, Syndrome.NAK_SEQUENCE);
            assertThat(result.action).as("behind a receiver-not-ready").isEqualTo(Action.IGNORE);
            nak(FIRST + 1, Syndrome.rnr(1));
            assertThat(result.action).isEqualTo(Action.IGNORE);
            Requester.rnrExpired(s);
            assertThat(sendAll()).isEqualTo(2);
        }
        nak(FIRST + 1, Syndrome.rnr(1));
        assertThat(result.action).isEqualTo(Action.FAIL);
        assertThat(result.status).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
        assertThat(result.failedEntry).isEqualTo(1);
    }

    @Test
    void rnrRetrySevenIsEndless() {
        s.connect(spec().withRetries(2, 7));
        admit(WrOpcode.SEND, 1);
        for (int i = 0; i < 50; i++) {
            sendAll();
            nak(FIRST, Syndrome.rnr(5));
            assertThat(result.action).isEqualTo(Action.WAIT_RNR);
            Requester.rnrExpired(s);
        }
    }

    @Test
    void retryCountSevenIsSeven() {
        s.connect(spec().withRetries(7, 7));
        admit(WrOpcode.SEND, 1);
        for (int i = 0; i < 7; i++) {
            sendAll();
            Requester.onTimeout(s, result);
            assertThat(result.action).isEqualTo(Action.RETRY);
        }
        sendAll();
        Requester.onTimeout(s, result);
        assertThat(result.status).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }

    @Test
    void readsBeyondTheLimitStallTheQueue() {
        s.connect(spec().withMaxRdAtomic(2));
        assertThat(admit(WrOpcode.RDMA_READ, 10)).isZero();
        assertThat(admit(WrOpcode.ATOMIC_FETCH_AND_ADD, 8)).isEqualTo(1);
        assertThat(admit(WrOpcode.RDMA_READ, 10)).isEqualTo(Requester.STALL_RD_ATOMIC);
        assertThat(admit(WrOpcode.SEND, 10)).isEqualTo(2);
        sendAll();
        response(Opcode.RC_RDMA_READ_RESPONSE_ONLY, FIRST, 10);
        assertThat(admit(WrOpcode.RDMA_READ, 10)).isEqualTo(3);
    }

    @Test
    void fenceWaitsForReadsAndAtomicsOnly() {
        admit(WrOpcode.SEND, 10);
        assertThat(admitFenced(WrOpcode.SEND)).isEqualTo(1);
        admit(WrOpcode.RDMA_READ, 10);
        assertThat(admitFenced(WrOpcode.SEND)).isEqualTo(Requester.STALL_FENCE);
        sendAll();
        response(Opcode.RC_RDMA_READ_RESPONSE_ONLY, FIRST + 2, 10);
        assertThat(admitFenced(WrOpcode.SEND)).isEqualTo(3);
    }

    @Test
    void fullRingAndFullWindowStall() {
        for (int i = 0; i < 8; i++) {
            assertThat(admit(WrOpcode.SEND, 1)).isEqualTo(i);
        }
        assertThat(admit(WrOpcode.SEND, 1)).isEqualTo(Requester.STALL_RING);
        s.connect(RequesterSpec.of(QpType.RC, 256, 1, 2));
        assertThat(admit(WrOpcode.RDMA_WRITE, (1L << 31) - 256)).isZero();
        assertThat(admit(WrOpcode.SEND, 257)).isEqualTo(Requester.STALL_WINDOW);
        assertThat(admit(WrOpcode.SEND, 256)).isEqualTo(1);
    }

    @Test
    void theLongestMessageAtTheSmallestMtuIsAwaited() {
        s.connect(RequesterSpec.of(QpType.RC, 256, 1, 2));
        admit(WrOpcode.RDMA_READ, 1L << 31);
        Requester.fillNext(s, packet);
        assertThat(Requester.awaitsAck(s))
                .as("all 2^23 PSNs of the window are under way")
                .isTrue();
        Requester.onTimeout(s, result);
        assertThat(result.action).isEqualTo(Action.RETRY);
    }

    @Test
    void unreliableWorkIsCompleteWhenSent() {
        s.connect(RequesterSpec.of(QpType.UC, 1024, 1, 2));
        admit(WrOpcode.RDMA_WRITE, 1500);
        Requester.fillRequest(s, 0, 0, packet);
        assertThat(Requester.sent(s, 0, 0)).isFalse();
        Requester.fillRequest(s, 0, 1, packet);
        assertThat(Requester.sent(s, 0, 1)).isTrue();
        assertThat(s.head()).isEqualTo(1);
        assertThat(Requester.awaitsAck(s)).isFalse();
        ack(0);
        assertThat(result.action).isEqualTo(Action.IGNORE);
    }

    @Test
    void localFailureStopsTheQueue() {
        admit(WrOpcode.SEND, 1);
        Requester.fail(s, WcStatus.LOC_PROT_ERR, result);
        assertThat(result.status).isEqualTo(WcStatus.LOC_PROT_ERR);
        assertThat(Requester.canSend(s)).isFalse();
    }

    @Test
    void entriesTellWhatWasAdmitted() {
        SendWork work = new SendWork();
        work.id = 42;
        work.signaled = true;
        work.length = 3000;
        long entry = Requester.admit(s, work);
        assertThat(s.id(entry)).isEqualTo(42);
        assertThat(s.signaled(entry)).isTrue();
        assertThat(s.length(entry)).isEqualTo(3000);
        assertThat(s.opcode(entry)).isEqualTo(WrOpcode.SEND);
        assertThat(s.firstPsn(entry)).isEqualTo(FIRST);
        assertThat(s.lastPsn(entry)).isEqualTo(FIRST + 2);
        work.reset();
        assertThat(work.signaled).isFalse();
        assertThat(s.signaled(Requester.admit(s, work))).isFalse();
    }

    @Test
    void ringMustBeAPowerOfTwo() {
        assertThatThrownBy(() -> new RequesterState(12))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("requester ring of 12 entries: must be a power of two");
    }

    /** Room for entries is made as they come: the ring behaves as one that had it from the start, also behind a snapshot. */
    @Test
    void aRingKeepsAsManyEntriesAsItHasHoweverLateItGetsTheRoom() {
        RequesterState ring = new RequesterState(256);
        ring.connect(spec());
        RequesterState restored = new RequesterState(256);
        for (int i = 0; i < 1000; i++) {
            SendWork work = new SendWork();
            work.opcode = WrOpcode.SEND;
            work.length = 1L + i;
            work.id = 7L * i;
            assertThat(Requester.admit(ring, work)).isEqualTo(i);
            Requester.fillNext(ring, packet);
            if (i % 100 == 3) {
                Snapshot snapshot = new Snapshot();
                ring.save(snapshot);
                restored.load(snapshot);
                assertThat(restored.id(i)).isEqualTo(7L * i);
                RequesterState old = ring;
                ring = restored;
                restored = old;
            }
            if (i % 200 < 150) {
                acknowledgeAll(ring);
            }
            for (int k = Math.max(0, i - 255); k <= i; k++) {
                assertThat(ring.id(k)).isEqualTo(7L * k);
                assertThat(ring.length(k)).isEqualTo(1L + k);
            }
        }
        acknowledgeAll(ring);
        for (int i = 0; i < 256; i++) {
            SendWork work = new SendWork();
            work.opcode = WrOpcode.SEND;
            assertThat(Requester.admit(ring, work)).isEqualTo(1000 + i);
        }
        assertThat(Requester.admit(ring, new SendWork())).isEqualTo(Requester.STALL_RING);
    }

    private void acknowledgeAll(RequesterState ring) {
        RocePacket in = new RocePacket();
        in.opcode = Opcode.RC_ACKNOWLEDGE.code();
        in.psn = Psn.plus(ring.nextPsn(), -1);
        in.syndrome = Syndrome.ACK;
        Requester.onResponse(ring, in, result);
    }
}
