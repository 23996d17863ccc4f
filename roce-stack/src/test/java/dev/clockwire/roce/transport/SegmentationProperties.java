package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class SegmentationProperties {
    private static final long VA = 0x7F00_0000_1234L;
    private static final int RKEY = 0x8000_1234;

    private final RocePacket packet = new RocePacket();

    @Provide
    Arbitrary<Integer> mtu() {
        return Arbitraries.of(256, 512, 1024, 2048, 4096);
    }

    private static RequesterState admitted(QpType type, WrOpcode opcode, long length, int mtu, int firstPsn) {
        RequesterState s = new RequesterState(4);
        s.connect(RequesterSpec.of(type, mtu, 0x11, 0x12).withFirstPsn(firstPsn));
        SendWork work = new SendWork();
        work.opcode = opcode;
        work.length = length;
        work.remoteVa = VA;
        work.rkey = RKEY;
        work.immOrKey = 0xCAFE;
        work.solicited = true;
        assertThat(Requester.admit(s, work)).isZero();
        return s;
    }

    @Property(tries = 500)
    void payloadCoversTheMessageExactlyOnce(
            @ForAll QpType type,
            @ForAll WrOpcode opcode,
            @ForAll @IntRange(max = 20_000) int length,
            @ForAll("mtu") int mtu,
            @ForAll @IntRange(max = Psn.MASK) int firstPsn) {
        Assume.that(opcode.allowedOn(type) && opcode.carriesPayload() && (type != QpType.UD || length <= mtu));
        RequesterState s = admitted(type, opcode, length, mtu, firstPsn);
        int count = Requester.packetCount(s, 0);
        long covered = 0;
        for (int i = 0; i < count; i++) {
            assertThat(Requester.fillRequest(s, 0, i, packet)).isEqualTo(covered);
            Opcode row = Opcode.of(packet.opcode);
            assertThat(row.payloadRule().allows(packet.payloadLength, mtu))
                    .as("%s %d", row, i)
                    .isTrue();
            assertThat(row.startsMessage()).isEqualTo(i == 0);
            assertThat(row.endsMessage()).isEqualTo(i == count - 1);
            assertThat(row.service()).isEqualTo(type.service());
            assertThat(packet.psn).isEqualTo(Psn.plus(firstPsn, i));
            assertThat(packet.ackReq).isEqualTo(type == QpType.RC && i == count - 1);
            assertThat(packet.solicited).isEqualTo(i == count - 1 && opcode != WrOpcode.RDMA_WRITE);
            assertThat(packet.padCount).isEqualTo(-packet.payloadLength & 3);
            covered += packet.payloadLength;
        }
        assertThat(covered).isEqualTo(length);
        assertThat(s.nextPsn()).isEqualTo(Psn.plus(firstPsn, count));
    }

    @Property(tries = 200)
    void readReservesThePsnsOfItsResponses(
            @ForAll @IntRange(max = 100_000) int length, @ForAll("mtu") int mtu, @ForAll @IntRange(max = 400) int any) {
        RequesterState s = admitted(QpType.RC, WrOpcode.RDMA_READ, length, mtu, 0xFFFFF0);
        int count = Math.max(1, (length + mtu - 1) / mtu);
        assertThat(Requester.packetCount(s, 0)).isEqualTo(count);
        assertThat(s.nextPsn()).isEqualTo(0xFFFFF0 + count & 0xFFFFFF);
        int restart = any % count;
        Requester.fillRequest(s, 0, restart, packet);
        assertThat(Opcode.of(packet.opcode)).isEqualTo(Opcode.RC_RDMA_READ_REQUEST);
        assertThat(packet.psn).isEqualTo(0xFFFFF0 + restart & 0xFFFFFF);
        assertThat(packet.va).isEqualTo(VA + (long) restart * mtu);
        assertThat(packet.dmaLen).isEqualTo(length - (long) restart * mtu);
        assertThat(packet.payloadLength).isZero();
        assertThat(packet.ackReq).isTrue();
    }

    @Example
    void writeHeaders() {
        RequesterState s = admitted(QpType.RC, WrOpcode.RDMA_WRITE_WITH_IMM, 3000, 1024, 7);
        Requester.fillRequest(s, 0, 0, packet);
        assertThat(packet.va).isEqualTo(VA);
        assertThat(packet.rkey).isEqualTo(RKEY);
        assertThat(packet.dmaLen).isEqualTo(3000);
        assertThat(packet.imm).isZero();
        assertThat(packet.destQp).isEqualTo(0x12);
        assertThat(packet.pkey).isEqualTo(0xFFFF);
        Requester.fillRequest(s, 0, 1, packet);
        assertThat(packet.va).isZero();
        assertThat(packet.rkey).isZero();
        Requester.fillRequest(s, 0, 2, packet);
        assertThat(packet.imm).isEqualTo(0xCAFE);
        assertThat(packet.payloadLength).isEqualTo(952);
    }

    @Example
    void atomicHeaders() {
        RequesterState s = new RequesterState(4);
        s.connect(RequesterSpec.of(QpType.RC, 1024, 0x11, 0x12));
        SendWork work = new SendWork();
        work.opcode = WrOpcode.ATOMIC_CMP_AND_SWP;
        work.length = 8;
        work.remoteVa = VA;
        work.rkey = RKEY;
        work.swapAdd = 22;
        work.compare = 11;
        Requester.admit(s, work);
        Requester.fillRequest(s, 0, 0, packet);
        assertThat(Opcode.of(packet.opcode)).isEqualTo(Opcode.RC_COMPARE_SWAP);
        assertThat(packet.swapAdd).isEqualTo(22);
        assertThat(packet.compare).isEqualTo(11);
        assertThat(packet.va).isEqualTo(VA);
        assertThat(packet.payloadLength).isZero();
        assertThat(packet.dmaLen).isZero();
    }

    @Example
    void invalidateKeyTravelsInTheLastPacket() {
        RequesterState s = admitted(QpType.RC, WrOpcode.SEND_WITH_INV, 2000, 1024, 0);
        Requester.fillRequest(s, 0, 0, packet);
        assertThat(packet.invalidateKey).isZero();
        Requester.fillRequest(s, 0, 1, packet);
        assertThat(packet.invalidateKey).isEqualTo(0xCAFE);
        assertThat(packet.imm).isZero();
    }

    @Example
    void datagramHeaders() {
        RequesterState s = new RequesterState(4);
        s.connect(new RequesterSpec(QpType.UD, 4096, 0x55, 0, 0xFFFF, 0x1234_5678, 9, 0, 0, 0, 0));
        SendWork work = new SendWork();
        work.destQpn = 0x77;
        work.qkey = 0x1111;
        work.length = 5;
        Requester.admit(s, work);
        Requester.fillRequest(s, 0, 0, packet);
        assertThat(packet.destQp).isEqualTo(0x77);
        assertThat(packet.srcQp).isEqualTo(0x55);
        assertThat(packet.qkey).isEqualTo(0x1111);
        assertThat(packet.ackReq).isFalse();
        work.qkey = 0x8000_0000;
        Requester.fillRequest(s, Requester.admit(s, work), 0, packet);
        assertThat(packet.qkey).isEqualTo(0x1234_5678);
        assertThat(packet.psn).isEqualTo(10);
    }

    @Example
    void everyNthPacketAsksForAnAcknowledgement() {
        RequesterState s = new RequesterState(4);
        s.connect(RequesterSpec.of(QpType.RC, 256, 1, 2).withAckInterval(4));
        SendWork work = new SendWork();
        work.length = 10 * 256;
        Requester.admit(s, work);
        StringBuilder asked = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            Requester.fillRequest(s, 0, i, packet);
            asked.append(packet.ackReq ? 'A' : '.');
        }
        assertThat(asked).hasToString("...A...A.A");
    }

    @Example
    void responsesOfAReadCoverItOnce() {
        ResponderState s = new ResponderState();
        s.connect(ResponderSpec.of(QpType.RC, 1024, 0x21));
        long covered = 0;
        Opcode[] expected = {
            Opcode.RC_RDMA_READ_RESPONSE_FIRST, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, Opcode.RC_RDMA_READ_RESPONSE_LAST
        };
        for (int i = 0; i < 3; i++) {
            assertThat(Responder.fillReadResponse(s, 0xFFFFFE, 2049, i, Syndrome.ACK, 5, packet))
                    .isEqualTo(covered);
            assertThat(Opcode.of(packet.opcode)).isEqualTo(expected[i]);
            assertThat(packet.psn).isEqualTo(0xFFFFFE + i & 0xFFFFFF);
            assertThat(packet.msn).isEqualTo(i == 1 ? 0 : 5);
            assertThat(packet.destQp).isEqualTo(0x21);
            covered += packet.payloadLength;
        }
        assertThat(covered).isEqualTo(2049);
        Responder.fillReadResponse(s, 3, 0, 0, Syndrome.ACK, 5, packet);
        assertThat(Opcode.of(packet.opcode)).isEqualTo(Opcode.RC_RDMA_READ_RESPONSE_ONLY);
        assertThat(packet.payloadLength).isZero();
    }
}
