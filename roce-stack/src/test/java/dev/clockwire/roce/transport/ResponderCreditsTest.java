package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a responder says about its receives. */
class ResponderCreditsTest extends ResponderRig {
    @BeforeEach
    void announce() {
        s.connect(spec(QpType.RC).withCredits(true));
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "5, 4", "6, 4", "7, 5", "8, 5", "9, 6", "12, 6", "13, 7", "32769, 30", "40000, 30"})
    void theCodeGrantsNoMoreThanThereIs(int posted, int code) {
        env.posted = posted;
        feed(Opcode.RC_SEND_ONLY, FIRST, 10);
        // This message's own receive is behind the MSN already.
        assertThat(d.syndrome).isEqualTo(code);
        assertThat(d.msn).isOne();
    }

    @Test
    void theReceiveInUseIsBeyondTheMsnUntilItsMessageEnds() {
        env.posted = 2;
        feed(Opcode.RC_SEND_FIRST, FIRST, 1024);
        assertThat(d.syndrome).isEqualTo(2);
        assertThat(d.msn).isZero();
        feed(Opcode.RC_SEND_LAST, FIRST + 1, 10);
        assertThat(d.syndrome).isOne();
        assertThat(d.msn).isOne();
    }

    @Test
    void sharedReceivesAreNoPromise() {
        env.posted = -1;
        feed(Opcode.RC_SEND_ONLY, FIRST, 10);
        assertThat(d.syndrome).isEqualTo(Syndrome.ACK);
        assertThat(Syndrome.credits(d.syndrome)).isEqualTo(-1);
    }

    @Test
    void withoutTheOptionThereIsNoInformation() {
        s.connect(spec(QpType.RC));
        env.posted = 3;
        feed(Opcode.RC_SEND_ONLY, FIRST, 10);
        assertThat(d.syndrome).isEqualTo(Syndrome.ACK);
    }

    @Test
    void everyPositiveAnswerAnnounces() {
        env.posted = 3;
        feedWrite(Opcode.RC_RDMA_WRITE_ONLY, FIRST, 10, 10);
        assertThat(d.syndrome).isEqualTo(3);
        feedRead(FIRST + 1, 0x1000, 10);
        assertThat(d.syndrome).isEqualTo(3);
        RocePacket out = new RocePacket();
        Responder.fillReadResponse(s, FIRST + 1, 10, 0, d.syndrome, d.msn, out);
        assertThat(out.syndrome).isEqualTo(3);
        feed(Opcode.RC_FETCH_ADD, FIRST + 2, 0);
        assertThat(d.syndrome).isEqualTo(3);
        env.posted = 4;
        feed(Opcode.RC_RDMA_WRITE_ONLY, FIRST, 10);
        assertThat(d.action).isEqualTo(Action.REACK);
        assertThat(d.syndrome).as("what there is now").isEqualTo(4);
    }

    @Test
    void refusalsKeepTheirSyndrome() {
        env.posted = 3;
        feed(Opcode.RC_SEND_ONLY, FIRST + 1, 10);
        assertThat(d.syndrome).isEqualTo(Syndrome.NAK_SEQUENCE);
        env.available = false;
        feed(Opcode.RC_SEND_ONLY, FIRST, 10);
        assertThat(d.syndrome).isEqualTo(Syndrome.rnr(12));
    }

    @Test
    void whatIsHeldBackAnnouncesWhatWasThere() {
        s.connect(spec(QpType.RC).withCredits(true).withAckEvery(4));
        env.posted = 3;
        feed(Opcode.RC_SEND_ONLY, FIRST, 10);
        assertThat(Responder.owesAck(s)).isTrue();
        Snapshot snapshot = new Snapshot();
        s.save(snapshot);
        ResponderState copy = new ResponderState();
        copy.load(snapshot);
        RocePacket out = new RocePacket();
        Responder.fillOwedAck(copy, out);
        assertThat(out.syndrome).isEqualTo(2);
        assertThat(out.msn).isOne();
        assertThat(copy.credits).isTrue();
        s.connect(spec(QpType.RC).withAckEvery(4));
        feed(Opcode.RC_SEND_ONLY, FIRST, 10);
        Responder.fillOwedAck(s, out);
        assertThat(out.syndrome).as("a new connection, without the option").isEqualTo(Syndrome.ACK);
    }
}
