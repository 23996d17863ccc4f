package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.junit.jupiter.api.Test;

/** What an accepted request does: where its bytes go, which receive it takes, what it acknowledges. */
class ResponderMessageTest extends ResponderRig {
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
    void msnAndPsnWrap() {
        s.connect(spec(QpType.RC).withFirstPsn(Psn.MASK));
        feed(Opcode.RC_SEND_ONLY, Psn.MASK, 5);
        feed(Opcode.RC_SEND_ONLY, 0, 5);
        assertThat(s.expectedPsn()).isEqualTo(1);
        feed(Opcode.RC_SEND_ONLY, Psn.MASK, 5);
        assertThat(d.action).isEqualTo(Action.REACK);
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
        Responder.fillAtomicAck(s, 8, 4, 10, 55, out);
        assertThat(Opcode.of(out.opcode)).isEqualTo(Opcode.RC_ATOMIC_ACKNOWLEDGE);
        assertThat(out.original).isEqualTo(55);
        assertThat(out.psn).isEqualTo(8);
        assertThat(out.msn).isEqualTo(10);
        assertThat(out.syndrome).isEqualTo(4);
    }
}
