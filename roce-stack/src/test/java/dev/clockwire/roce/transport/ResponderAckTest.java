package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.RequestDecision.Drop;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.Test;

/** Acknowledgements that are held back, and refusals that only show when the data is placed. */
class ResponderAckTest extends ResponderRig {
    private final RocePacket out = new RocePacket();

    private void together(int packets) {
        s.connect(spec(QpType.RC).withAckEvery(packets));
    }

    private void send(int psn) {
        feed(Opcode.RC_SEND_ONLY, psn, 8);
    }

    @Test
    void severalPacketsGetOneAcknowledgement() {
        together(3);
        for (int i = 0; i < 6; i++) {
            send(FIRST + i);
            assertThat(d.ackDue).isEqualTo(i % 3 == 2);
            assertThat(Responder.owesAck(s)).isEqualTo(i % 3 != 2);
        }
        assertThat(d.ackPsn).isEqualTo(FIRST + 5);
        assertThat(d.msn).isEqualTo(6);
    }

    @Test
    void whatIsOwedAcknowledgesTheNewestPacketOnce() {
        together(8);
        send(FIRST);
        send(FIRST + 1);
        Responder.fillOwedAck(s, out);
        assertThat(out.opcode).isEqualTo(Opcode.RC_ACKNOWLEDGE.code());
        assertThat(out.psn).isEqualTo(FIRST + 1);
        assertThat(out.syndrome).isEqualTo(Syndrome.ACK);
        assertThat(out.msn).isEqualTo(2);
        assertThat(out.destQp).isEqualTo(0x21);
        assertThat(Responder.owesAck(s)).isFalse();
    }

    @Test
    void packetsThatDoNotAskAreNotCounted() {
        together(2);
        RocePacket in = packet(Opcode.RC_SEND_ONLY, FIRST, 8);
        in.ackReq = false;
        feed(in);
        assertThat(Responder.owesAck(s)).isFalse();
    }

    @Test
    void everyOtherAnswerPaysTheDebt() {
        together(8);
        send(FIRST);
        feedRead(FIRST + 1, 0, 8);
        assertThat(Responder.owesAck(s)).as("a READ's response").isFalse();
        send(FIRST + 2);
        RocePacket atomic = packet(Opcode.RC_FETCH_ADD, FIRST + 3, 0);
        feed(atomic);
        assertThat(Responder.owesAck(s)).as("an atomic's answer").isFalse();
        send(FIRST + 4);
        send(FIRST + 4);
        assertThat(d.action).isEqualTo(Action.REACK);
        assertThat(Responder.owesAck(s)).as("an acknowledgement of a duplicate").isFalse();
        send(FIRST + 5);
        send(FIRST + 9);
        assertThat(d.syndrome).isEqualTo(Syndrome.NAK_SEQUENCE);
        assertThat(Responder.owesAck(s)).as("a refusal").isFalse();
    }

    @Test
    void theDebtIsPartOfASnapshotAndEndsWithTheConnection() {
        together(3);
        send(FIRST);
        Snapshot snapshot = new Snapshot();
        s.save(snapshot);
        ResponderState copy = new ResponderState();
        copy.load(snapshot);
        assertThat(Responder.owesAck(copy)).isTrue();
        Responder.onRequest(copy, packet(Opcode.RC_SEND_ONLY, FIRST + 1, 8), env, d);
        assertThat(d.ackDue).isFalse();
        Responder.onRequest(copy, packet(Opcode.RC_SEND_ONLY, FIRST + 2, 8), env, d);
        assertThat(d.ackDue).isTrue();
        together(3);
        assertThat(Responder.owesAck(s)).isFalse();
    }

    @Test
    void anUnreliableMessageThatIsRefusedLateLeavesItsReceiveToTheNext() {
        s.connect(spec(QpType.UC));
        RocePacket in = packet(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, FIRST, 8);
        in.dmaLen = 8;
        feed(in);
        assertThat(d.takesReceive).isTrue();
        Responder.refuse(s, d, Syndrome.NAK_REMOTE_ACCESS);
        assertThat(d.completesReceive).isFalse();
        assertThat(s.receiveHeld()).isTrue();
        feed(Opcode.UC_SEND_ONLY, FIRST + 1, 8);
        assertThat(d.takesReceive).as("it has one already").isFalse();
        assertThat(d.completesReceive).isTrue();
        feedWrite(Opcode.UC_RDMA_WRITE_FIRST, FIRST + 2, 1024, 3000);
        Responder.refuse(s, d, Syndrome.NAK_REMOTE_ACCESS);
        feed(Opcode.UC_RDMA_WRITE_MIDDLE, FIRST + 3, 1024);
        assertThat(d.drop).as("the rest is lost, too").isEqualTo(Drop.MESSAGE_LOST);
    }

    @Test
    void answersBelongToOneConnection() {
        int first = s.connection();
        feed(Opcode.RC_SEND_ONLY, FIRST, 8);
        assertThat(s.connection()).isEqualTo(first);
        Snapshot snapshot = new Snapshot();
        s.save(snapshot);
        s.disconnect();
        assertThat(s.connection()).isNotEqualTo(first);
        ResponderState copy = new ResponderState();
        copy.load(snapshot);
        assertThat(copy.connection()).isEqualTo(first);
    }

    @Test
    void anUnreliableQueuePairTellsNobodyOfALateRefusal() {
        s.connect(spec(QpType.UC));
        feed(Opcode.UC_SEND_ONLY, FIRST, 8);
        Responder.refuse(s, d, Syndrome.NAK_REMOTE_OPERATION);
        assertThat(d.action).isEqualTo(Action.DROP);
        assertThat(d.drop).isEqualTo(Drop.ACCESS);
        assertThat(d.completesReceive).isFalse();
        assertThat(d.qpError).as("its own receive is at fault").isTrue();
        feedWrite(Opcode.UC_RDMA_WRITE_ONLY, FIRST + 1, 8, 8);
        Responder.refuse(s, d, Syndrome.NAK_REMOTE_ACCESS);
        assertThat(d.action).isEqualTo(Action.DROP);
        assertThat(d.qpError).as("the peer is at fault").isFalse();
    }

    @Test
    void aKeyThatMayNotBeInvalidatedFailsTheReceiveButNotTheMessage() {
        feed(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, FIRST, 8);
        Responder.notInvalidated(d);
        assertThat(d.action).isEqualTo(Action.SEND);
        assertThat(d.completesReceive).isFalse();
        assertThat(d.receiveStatus).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        assertThat(d.qpError).isTrue();
        assertThat(d.ackDue).isTrue();
    }
}
