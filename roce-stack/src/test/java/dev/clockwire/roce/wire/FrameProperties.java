package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.mem.Payload;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FrameProperties {
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder();
    private final RocePacket out = new RocePacket();

    @Provide
    Arbitrary<RocePacket> packets() {
        return FrameArbitraries.packets();
    }

    @Property(tries = 4)
    void everyOpcodeInEveryEncapsulationSurvivesTheWire(@ForAll long seed) {
        Random random = new Random(seed);
        for (Opcode opcode : Opcode.values()) {
            for (Encapsulation encapsulation : Encapsulation.values()) {
                survives(FrameArbitraries.packet(opcode, encapsulation, false, random));
                survives(FrameArbitraries.packet(opcode, encapsulation, true, random));
            }
        }
    }

    private void survives(RocePacket packet) {
        byte[] frame = frame(packet);
        assertThat(decoder.decode(frame, 0, frame.length, out)).isEqualTo(FrameVerdict.OK);
        if (out.digest() != packet.digest() || !out.payload.sameContent(packet.payload)) { // slow, but names the field
            assertThat(out)
                    .usingRecursiveComparison()
                    .withEqualsForType(Payload::sameContent, Payload.class)
                    .isEqualTo(packet);
            throw new AssertionError("the digests of equal packets differ: " + opcode(packet));
        }
    }

    @Property(tries = 300)
    void aPacketBroughtIntoDisorderGetsAWrongIcrc(@ForAll("packets") RocePacket packet) {
        packet.icrcOk = false;
        byte[] frame = frame(packet);
        assertThat(decoder.decode(frame, 0, frame.length, out)).isEqualTo(FrameVerdict.BAD_ICRC);
        assertThat(out.icrcOk).isFalse();
        assertThat(out.psn).isEqualTo(packet.psn);
    }

    @Property(tries = 300)
    void headersAloneAreTheBeginningOfTheFrame(@ForAll("packets") RocePacket packet) {
        byte[] frame = frame(packet);
        byte[] headers = new byte[256];
        int length = encoder.encodeHeaders(packet, headers, 0);
        assertThat(length).isEqualTo(packet.flow.bytes() + opcode(packet).headerBytes());
        assertThat(headers).startsWith(Arrays.copyOf(frame, length));
        assertThat(decoder.decode(headers, 0, length, out)).isEqualTo(FrameVerdict.TRUNCATED);
        assertThat(out.payloadLength).isEqualTo(packet.payloadLength);
        assertThat(out.psn).isEqualTo(packet.psn);
        assertThat(out.va).isEqualTo(packet.va);
        assertThat(out.imm).isEqualTo(packet.imm);
        assertThat(out.payload.length()).isZero();
    }

    @Property(tries = 300)
    void paddingBehindThePacketDoesNoHarm(@ForAll("packets") RocePacket packet) {
        byte[] frame = Arrays.copyOf(frame(packet), packet.wireBytes() + 46);
        assertThat(decoder.decode(frame, 0, frame.length, out)).isEqualTo(FrameVerdict.OK);
        assertThat(out.payloadLength).isEqualTo(packet.payloadLength);
    }

    /** An ICRC of its own: one byte at a time, on a copy, as the annex describes it. */
    @Property(tries = 300)
    void icrcAgreesWithThePlainDefinition(@ForAll("packets") RocePacket packet) {
        byte[] frame = frame(packet);
        int ip = packet.flow.bytes() - packet.flow.encapsulation.bytes();
        CRC32 crc = new CRC32();
        for (int i = 0; i < 8; i++) {
            crc.update(0xFF);
        }
        for (int i = ip; i < frame.length - 4; i++) {
            crc.update(frame[i] | MaskedBits.of(packet.flow, i));
        }
        assertThat(Integer.reverseBytes(Bytes.get32(frame, frame.length - 4))).isEqualTo((int) crc.getValue());
    }

    private byte[] frame(RocePacket packet) {
        byte[] frame = new byte[packet.wireBytes()];
        assertThat(encoder.encode(packet, frame, 0)).isEqualTo(frame.length);
        return frame;
    }

    private static Opcode opcode(RocePacket packet) {
        return Opcode.of(packet.opcode);
    }
}
