package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.RequestDecision.Drop;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of other RDMA stacks, reported in public or read in their source, that break a rule; docs/transport.md lists them all. */
class PublicRuleFaultsTest extends ResponderRig {
    private static RequesterState requester(int mtu, int ackInterval) {
        RequesterState requester = new RequesterState(16);
        requester.connect(
                RequesterSpec.of(QpType.RC, mtu, 1, 2).withFirstPsn(Psn.MASK).withAckInterval(ackInterval));
        return requester;
    }

    private static long admit(RequesterState requester, WrOpcode opcode, long length) {
        SendWork work = new SendWork();
        work.opcode = opcode;
        work.length = length;
        return Requester.admit(requester, work);
    }

    /** Public fault 4, linux-rdma/rdma-core pull request 1268: a READ of nothing broke a responder that looked for its key. */
    @Test
    void aReadOfNothingNeedsNoKey() {
        RocePacket in = packet(Opcode.RC_RDMA_READ_REQUEST, FIRST, 0);
        in.va = 0;
        in.rkey = 0;
        feed(in);
        assertThat(d.action).isEqualTo(Action.READ);
        assertThat(d.responses).isOne();
        assertThat(env.checks).isZero();
        feed(in);
        assertThat(d.action).as("nor does its repetition").isEqualTo(Action.REREAD);
        assertThat(env.checks).isZero();
    }

    /** Public fault 5, linux-rdma/rdma-core pull requests 246 and 247: nothing took no PSN instead of one. */
    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "RDMA_WRITE", "RDMA_READ"})
    void nothingTakesOnePsn(WrOpcode opcode) {
        RequesterState requester = requester(1024, 0);
        admit(requester, opcode, 0);
        long next = admit(requester, opcode, 8);
        assertThat(requester.firstPsn(next)).isZero();
        assertThat(requester.nextPsn()).isOne();
    }

    /** Public fault 22, alibaba-edu/High-Precision-Congestion-Control issues 65 and 59: the interval of ACKs was not kept. */
    @ParameterizedTest
    @CsvSource({"100, 5", "110, 6", "19, 1", "20, 1", "21, 2"})
    void oneInTwentyPacketsAsksAndTheLast(int packets, int asks) {
        RequesterState requester = requester(256, 20);
        admit(requester, WrOpcode.RDMA_WRITE, packets * 256L);
        RocePacket out = new RocePacket();
        int asked = 0;
        while (Requester.canSend(requester)) {
            Requester.fillNext(requester, out);
            asked += out.ackReq ? 1 : 0;
        }
        assertThat(asked).isEqualTo(asks);
    }

    /** Source observation a, Linux rxe_resp.c (034e285f): the length test looked at opcode bits instead of the opcode's mask. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1025})
    void aMiddleThatIsNotFullIsInvalid(int length) {
        feedWrite(Opcode.RC_RDMA_WRITE_FIRST, FIRST, 1024, 4000);
        feed(Opcode.RC_RDMA_WRITE_MIDDLE, FIRST + 1, length);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        connect();
        feed(Opcode.RC_SEND_FIRST, FIRST, 1024);
        feed(Opcode.RC_SEND_MIDDLE, FIRST + 1, length);
        assertThat(d.action).isEqualTo(Action.NAK);
        assertThat(d.syndrome).isEqualTo(Syndrome.NAK_INVALID_REQUEST);
    }

    /** Source observation b, Linux rxe_recv.c (008ecca7): the test of the service lets a datagram pass for a connected packet. */
    @ParameterizedTest
    @EnumSource(
            value = QpType.class,
            names = {"RC", "UC"})
    void aDatagramIsNoConnectedPacket(QpType type) {
        s.connect(spec(type));
        RocePacket in = packet(Opcode.UD_SEND_ONLY, FIRST, 10);
        assertThat(in.opcode).isEqualTo(0x64);
        feed(in);
        assertThat(d.action).isEqualTo(Action.DROP);
        assertThat(d.drop).isEqualTo(Drop.WRONG_SERVICE);
        assertThat(s.expectedPsn()).isEqualTo(FIRST);
    }

    /** Source observation c, Linux rxe_comp.c (06a7fcfc): 61.41 ms for code 25 of the receiver-not-ready timer. */
    @Test
    void code25IsAWaitOf61Point44Milliseconds() {
        assertThat(Syndrome.rnrWaitPs(Syndrome.rnr(25))).isEqualTo(61_440_000_000L);
    }
}
