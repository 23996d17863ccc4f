package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.Vectors.Vector;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One flipped bit: caught by the ICRC outside the masked fields, not seen by it inside. */
class BitFlipTest {
    private final FrameDecoder decoder = new FrameDecoder();
    private final RocePacket packet = new RocePacket();

    static List<Vector> vectors() {
        return Vectors.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void inEveryVector(Vector vector) {
        flipEveryBit(vector.frame());
    }

    @ParameterizedTest
    @EnumSource(Opcode.class)
    void inAPacketOfEveryOpcode(Opcode opcode) {
        Random random = new Random(opcode.code());
        for (int i = 0; i < 3; i++) {
            RocePacket made = FrameArbitraries.packet(opcode, random);
            if (made.payloadLength < 100) {
                byte[] frame = new byte[made.wireBytes()];
                new FrameEncoder().encode(made, frame, 0);
                flipEveryBit(frame);
            }
        }
    }

    private void flipEveryBit(byte[] frame) {
        assertThat(decoder.decode(frame, 0, frame.length, packet)).isEqualTo(FrameVerdict.OK);
        FlowAddress flow = new FlowAddress();
        flow.set(packet.flow);
        int ip = flow.bytes() - flow.encapsulation.bytes();
        for (int bit = ip * 8; bit < frame.length * 8; bit++) {
            int position = bit / 8;
            int mask = 0x80 >> bit % 8;
            frame[position] ^= (byte) mask;
            FrameVerdict verdict = decoder.decode(frame, 0, frame.length, packet);
            boolean masked = position < frame.length - 4 && (MaskedBits.of(flow, position) & mask) != 0;
            assertThat(packet.icrcOk)
                    .as("byte %d mask %#x: %s", position, mask, verdict)
                    .isEqualTo(masked);
            if (!masked) {
                assertThat(verdict).isNotEqualTo(FrameVerdict.OK);
            }
            frame[position] ^= (byte) mask;
        }
    }

    @Test
    void whatASwitchMayChangeIsAccepted() {
        byte[] frame = Vectors.named("S1_").frame();
        frame[14 + 20 + 8 + 4] |= (byte) 0xC0; // FECN and BECN
        assertThat(decoder.decode(frame, 0, frame.length, packet)).isEqualTo(FrameVerdict.OK);
        assertThat(packet.fecn).isTrue();
        assertThat(packet.becn).isTrue();
        byte[] marked = Vectors.named("S12_").frame();
        assertThat(decoder.decode(marked, 0, marked.length, packet)).isEqualTo(FrameVerdict.OK);
        assertThat(packet.flow.ecn).isEqualTo(3);
        assertThat(packet.flow.hopLimit).isEqualTo(63);
    }
}
