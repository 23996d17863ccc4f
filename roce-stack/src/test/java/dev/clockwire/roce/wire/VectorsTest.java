package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.Vectors.Vector;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VectorsTest {
    private final FrameDecoder decoder = new FrameDecoder();
    private final RocePacket packet = new RocePacket();

    static List<Vector> vectors() {
        return Vectors.all();
    }

    @Test
    void allAreThere() {
        assertThat(vectors()).hasSize(23);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void decodesAndEncodesToTheSameBytes(Vector vector) {
        byte[] frame = vector.frame();
        assertThat(decoder.decode(frame, 0, frame.length, packet)).isEqualTo(FrameVerdict.OK);
        assertThat(packet.icrcOk).isTrue();
        assertThat(packet.wireBytes()).isEqualTo(frame.length);

        byte[] again = new byte[frame.length];
        assertThat(new FrameEncoder().encode(packet, again, 0)).isEqualTo(frame.length);
        assertThat(Integer.reverseBytes(Bytes.get32(again, frame.length - 4))).isEqualTo(vector.icrc());
        assertThat(again).isEqualTo(withoutUdpChecksum(frame));
    }

    /** The encoder sends UDP checksum 0; some of the vectors carry a computed one, which the ICRC does not cover. */
    private byte[] withoutUdpChecksum(byte[] frame) {
        byte[] copy = frame.clone();
        if (packet.flow.encapsulation != Encapsulation.GRH) {
            Bytes.put16(copy, packet.flow.bytes() - 2, 0);
        }
        return copy;
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void doesNotCareWhereInTheBufferTheFrameIs(Vector vector) {
        byte[] frame = vector.frame();
        byte[] moved = new byte[frame.length + 30];
        Arrays.fill(moved, (byte) 0x5A);
        System.arraycopy(frame, 0, moved, 17, frame.length);
        assertThat(decoder.decode(moved, 17, frame.length, packet)).isEqualTo(FrameVerdict.OK);
        byte[] again = new byte[frame.length + 30];
        Arrays.fill(again, (byte) 0x5A); // reserved fields and padding are written, too
        new FrameEncoder().encode(packet, again, 9);
        assertThat(Arrays.copyOfRange(again, 9, 9 + frame.length)).isEqualTo(withoutUdpChecksum(frame));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void everyShorterFrameIsNeitherGoodNorBad(Vector vector) {
        byte[] frame = vector.frame();
        byte[] moved = new byte[frame.length + 9];
        System.arraycopy(frame, 0, moved, 9, frame.length);
        for (int length = 0; length < frame.length; length++) {
            FrameVerdict verdict = decoder.decode(moved, 9, length, packet);
            assertThat(verdict)
                    .as("%d bytes", length)
                    .isIn(FrameVerdict.TRUNCATED, FrameVerdict.CUT_IN_HEADERS, FrameVerdict.NOT_ROCE);
            assertThat(packet.icrcOk).isFalse();
        }
        assertThat(decoder.decode(frame, 0, frame.length - 1, packet)).isEqualTo(FrameVerdict.TRUNCATED);
        assertThat(packet.destQp).as("headers of a cut frame are read").isPositive();
        int headers = packet.flow.bytes() + Opcode.of(packet.opcode).headerBytes();
        assertThat(decoder.decode(frame, 0, headers, packet)).isEqualTo(FrameVerdict.TRUNCATED);
        assertThat(decoder.decode(frame, 0, headers - 1, packet)).isEqualTo(FrameVerdict.CUT_IN_HEADERS);
    }

    @Test
    void congestionNotificationOfHardware() {
        RocePacket cnp = Vectors.decoded("P1_");
        assertThat(Opcode.of(cnp.opcode)).isEqualTo(Opcode.CNP);
        assertThat(cnp.becn).isTrue();
        assertThat(cnp.fecn).isFalse();
        assertThat(cnp.destQp).isEqualTo(0x118);
        assertThat(cnp.flow.udpSourcePort).isZero();
        assertThat(cnp.flow.dscp).isEqualTo(48);
        assertThat(cnp.flow.ecn).isEqualTo(2);
        assertThat(cnp.flow.srcIpv4()).isEqualTo(0x0A001101);
        assertThat(cnp.flow.dstIpv4()).isEqualTo(0x0A001201);
        assertThat(cnp.flow.srcMac).isEqualTo(0x7CFE90643B32L);
        assertThat(cnp.flow.dstMac).isEqualTo(0xE41D2DAB2BC2L);
        assertThat(cnp.ipId).isEqualTo(0x718C);
    }

    @Test
    void writeOverRoceV1() {
        RocePacket write = Vectors.decoded("P4_");
        assertThat(write.flow.encapsulation).isEqualTo(Encapsulation.GRH);
        assertThat(write.payloadLength).isEqualTo(5);
        assertThat(write.padCount).isEqualTo(3);
        assertThat(write.dmaLen).isEqualTo(5);
        assertThat(write.va).isEqualTo(0x55D4C0726000L);
        assertThat(write.rkey).isEqualTo(0x47B3);
        assertThat(write.psn).isEqualTo(0xA788BC);
        assertThat(write.ackReq).isTrue();
        assertThat(write.migReq).isTrue();
        assertThat(write.solicited).isFalse();
        assertThat(write.flow.dstIpv4()).isEqualTo(0x0F000002);
    }

    @Test
    void solicitedCompareAndSwapAndItsAnswer() {
        RocePacket request = Vectors.decoded("S4_");
        assertThat(request.swapAdd).isEqualTo(0x1111111111111111L);
        assertThat(request.compare).isEqualTo(0x2222222222222222L);
        assertThat(request.rkey).isEqualTo(0x1234);
        assertThat(request.va).isEqualTo(0x7F0000003000L);
        RocePacket answer = Vectors.decoded("S5_");
        assertThat(Opcode.of(answer.opcode)).isEqualTo(Opcode.RC_ATOMIC_ACKNOWLEDGE);
        assertThat(answer.original).isNotZero();
    }

    @Test
    void datagramOverIpv6() {
        RocePacket datagram = Vectors.decoded("S10_");
        assertThat(datagram.flow.encapsulation).isEqualTo(Encapsulation.IPV6);
        assertThat(datagram.flow.flowLabel).isEqualTo(0x12345);
        assertThat(datagram.flow.srcHi).isEqualTo(0xFD00_0000_0000_0000L);
        assertThat(datagram.flow.srcLo).isEqualTo(1);
        assertThat(datagram.flow.dstLo).isEqualTo(2);
        assertThat(datagram.qkey).isEqualTo(0x11111111);
        assertThat(datagram.srcQp).isEqualTo(0x44);
        assertThat(datagram.destQp).isEqualTo(0x33);
        assertThat(datagram.payload.byteAt(0)).isEqualTo((byte) 0x5A);
    }

    @Test
    void negativeAcknowledgements() {
        assertThat(Vectors.decoded("S6_").syndrome).isEqualTo(0x60);
        assertThat(Vectors.decoded("S6_").msn).isEqualTo(3);
        assertThat(Vectors.decoded("S7_").syndrome).isEqualTo(0x2C);
        assertThat(Vectors.decoded("S9_").invalidateKey).isNotZero();
        assertThat(Vectors.decoded("S8_").imm).isNotZero();
    }
}
