package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.RequestDecision.Drop;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is refused, with which syndrome, and what a refusal leaves behind. */
class ResponderRefusalTest extends ResponderRig {
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
    void lateRefusalDoesNotCountTheMessage() {
        feed(Opcode.RC_SEND_ONLY, FIRST, 5);
        feed(Opcode.RC_RDMA_WRITE_ONLY, FIRST + 1, 5);
        Responder.refuse(s, d, Syndrome.NAK_REMOTE_OPERATION);
        assertRefused(Syndrome.NAK_REMOTE_OPERATION);
        assertThat(d.msn).isEqualTo(1);
        assertThat(d.ackPsn).isEqualTo(FIRST + 1);
    }
}
