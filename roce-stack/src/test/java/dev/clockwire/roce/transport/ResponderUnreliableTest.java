package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.RequestDecision.Drop;
import dev.clockwire.roce.wire.Opcode;
import org.junit.jupiter.api.Test;

/** Unreliable connections and datagrams: what does not fit is dropped in silence. */
class ResponderUnreliableTest extends ResponderRig {
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
}
