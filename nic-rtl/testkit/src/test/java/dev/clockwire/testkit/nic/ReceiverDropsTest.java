package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.rx.RxParser;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Packets that must be dropped in silence: the counter moves, the queue pair does not. */
class ReceiverDropsTest {
    private static Pair pair(QpType type) {
        return new Pair(
                Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1)), type, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static RocePacket write(Pair p) {
        RocePacket x = new RocePacket();
        x.reset();
        x.opcode = Opcode.RC_RDMA_WRITE_ONLY.code();
        x.pkey = RocePacket.DEFAULT_PKEY;
        x.flow.setIpv4((int) p.a.host.gid().lo(), (int) p.b.host.gid().lo());
        x.destQp = p.b.qp.qpn();
        x.psn = Pair.PSN_A;
        x.ackReq = true;
        x.va = p.b.at(0);
        x.rkey = p.b.mr.rkey();
        x.dmaLen = 4;
        x.setPayloadLength(4);
        x.payload.appendBytes(new byte[] {1, 2, 3, 4}, 0, 4);
        x.icrcOk = true;
        return x;
    }

    private static void deliver(Pair p, RocePacket packet) {
        p.b.host.nic().linePort().send(p.lab.sim().now() + 1, 0, 0, 0, packet);
        p.lab.sim().run(p.lab.sim().now() + 5_000_000);
    }

    static Stream<Arguments> wrongPackets() {
        return Stream.of(
                wrong("version", x -> x.tver = 1),
                wrong("reserved service", x -> x.opcode = 0xFF),
                wrong("service", x -> x.opcode = Opcode.UC_RDMA_WRITE_ONLY.code()),
                wrong("queue pair", x -> x.destQp = 0x99),
                wrong("sender", x -> x.flow.setIpv4(x.flow.srcIpv4() + 7, x.flow.dstIpv4())),
                wrong("receiver", x -> x.flow.setIpv4(x.flow.srcIpv4(), x.flow.dstIpv4() + 7)),
                wrong("partition", x -> x.pkey = 0x8001),
                wrong("management queue", x -> x.destQp = 1));
    }

    private static Arguments wrong(String what, Consumer<RocePacket> change) {
        return Arguments.of(what, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongPackets")
    void aWrongPacketIsDroppedAndCounted(String what, Consumer<RocePacket> change) {
        Pair p = pair(QpType.RC);
        RxParser rx = p.b.host.nic().receiver();
        RocePacket x = write(p);
        change.accept(x);
        deliver(p, x);
        assertThat(rx.dropped()).isEqualTo(1);
        assertThat(p.lab.link().b().framesSent()).isZero();
        assertThat(new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 9)).isPositive();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
    }

    /** As Linux hfi1 does, and the software device: what is in turn and cannot be done is an invalid request. */
    @Test
    void aReservedOpcodeOfTheServiceIsAnInvalidRequest() {
        Pair p = pair(QpType.RC);
        Lossy line = new Lossy(p.lab);
        RocePacket x = write(p);
        x.opcode = 0x1F;
        deliver(p, x);
        assertThat(p.b.host.nic().receiver().dropped()).isZero();
        assertThat(line.sent(Opcode.RC_ACKNOWLEDGE))
                .extracting(f -> f.syndrome)
                .containsExactly(Syndrome.NAK_INVALID_REQUEST);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
        assertThat(p.b.read(0, 4)).containsExactly(0, 0, 0, 0);
    }

    @Test
    void aRightPacketIsExecutedAndAcknowledged() {
        Pair p = pair(QpType.RC);
        deliver(p, write(p));
        assertThat(p.b.host.nic().receiver().dropped()).isZero();
        assertThat(p.b.read(0, 4)).containsExactly(1, 2, 3, 4);
        assertThat(p.lab.link().b().framesSent()).isEqualTo(1);
    }

    @Test
    void aWrongIcrcIsCountedApart() {
        Pair p = pair(QpType.RC);
        RocePacket x = write(p);
        x.icrcOk = false;
        deliver(p, x);
        assertThat(p.b.host.nic().receiver().icrcErrors()).isEqualTo(1);
        assertThat(p.b.host.nic().receiver().dropped()).isZero();
        assertThat(p.b.read(0, 4)).containsExactly(0, 0, 0, 0);
    }

    /** Answers are made of packets used before: a dropped one must leave nothing behind in them. */
    @Test
    void droppedPacketsLeaveNothingInTheNextOnes() {
        Pair p = pair(QpType.RC);
        for (int i = 0; i < 5; i++) {
            RocePacket x = write(p);
            x.destQp = 0x99;
            deliver(p, x);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(new Posts(p.a, p.b).post(WrOpcode.RDMA_READ, 5000)).isPositive();
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
    }

    @Test
    void aDuplicateIsAcknowledgedOnceMoreAndNotExecuted() {
        Pair p = pair(QpType.RC);
        deliver(p, write(p));
        p.b.write(0, new byte[4]);
        deliver(p, write(p));
        assertThat(p.b.host.nic().responder().duplicates()).isEqualTo(1);
        assertThat(p.b.read(0, 4)).containsExactly(0, 0, 0, 0);
        assertThat(p.lab.link().b().framesSent()).isEqualTo(2);
    }

    @Test
    void aPacketFromTheFutureIsRefusedOnce() {
        Pair p = pair(QpType.RC);
        for (int i = 1; i < 4; i++) {
            RocePacket x = write(p);
            x.psn = Pair.PSN_A + i;
            deliver(p, x);
        }
        assertThat(p.b.host.nic().responder().outOfSequence()).isEqualTo(3);
        assertThat(p.lab.link().b().framesSent()).isEqualTo(1);
    }

    @Test
    void aDatagramWithAnotherQueueKeyOrWithoutAReceiveIsDropped() {
        Pair p = pair(QpType.UD);
        RocePacket x = write(p);
        x.opcode = Opcode.UD_SEND_ONLY.code();
        x.qkey = Connections.QKEY + 1;
        deliver(p, x);
        assertThat(p.b.host.nic().receiver().dropped()).isEqualTo(1);
        RocePacket y = write(p);
        y.opcode = Opcode.UD_SEND_ONLY.code();
        y.qkey = Connections.QKEY;
        deliver(p, y);
        assertThat(p.b.host.nic().receiver().dropped()).isEqualTo(1);
        assertThat(p.b.host.nic().responder().outOfBuffer()).isEqualTo(1);
    }
}
