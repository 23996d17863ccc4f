package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of other RDMA stacks, reported in public, that show in the bytes of a frame; docs/transport.md lists them all. */
class PublicFrameFaultsTest {
    private static final int PADDED = 4;

    private static byte[] encoded(RocePacket packet) {
        byte[] frame = new byte[packet.wireBytes()];
        assertThat(new FrameEncoder().encode(packet, frame, 0)).isEqualTo(frame.length);
        return frame;
    }

    /** Public fault 1, SoftRoCE/rxe-dev issue 30: once other code built the headers, the ICRC was not that of hardware. */
    @Test
    void theIcrcDoesNotCoverWhatSwitchesChange() {
        RocePacket packet = Vectors.decoded("S1_");
        byte[] before = encoded(packet);
        packet.flow.setTrafficClass(packet.flow.trafficClass() | 3);
        packet.flow.hopLimit--;
        byte[] after = encoded(packet);
        byte[] marked = Vectors.named("S12_").frame();
        Bytes.put16(marked, packet.flow.bytes() - 2, 0); // a UDP checksum, which the ICRC does not cover
        assertThat(after).isEqualTo(marked).isNotEqualTo(before);
        assertThat(Bytes.get32(after, after.length - 4)).isEqualTo(Bytes.get32(before, before.length - 4));
    }

    /** Public fault 2, SoftRoCE/rxe-dev pull request 44: with padding the ICRC was written in the wrong place. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void theIcrcStandsBehindThePadding(int length) {
        RocePacket packet = new RocePacket();
        packet.flow.setIpv4(0x0A00_0001, 0x0A00_0002);
        packet.opcode = Opcode.RC_RDMA_WRITE_ONLY.code();
        packet.dmaLen = length;
        packet.payload.appendBytes(new byte[] {1, 2, 3, 4, 5}, 0, length);
        packet.setPayloadLength(length);
        byte[] frame = encoded(packet);
        int bth = packet.flow.bytes();
        int pad = -length & PADDED - 1;
        int end = bth + 12 + 16 + length + pad;
        assertThat(frame).hasSize(end + 4);
        assertThat(frame[bth + 1] >> 4 & 3).isEqualTo(pad);
        for (int i = end - pad; i < end; i++) {
            assertThat(frame[i]).isZero();
        }
        assertThat(Integer.reverseBytes(Bytes.get32(frame, end))).isEqualTo(icrc(packet, frame, end));
    }

    /** The ICRC, written from the annex apart from the product's code. */
    private static int icrc(RocePacket packet, byte[] frame, int end) {
        CRC32 crc = new CRC32();
        crc.update(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
        for (int i = packet.flow.bytes() - packet.flow.encapsulation.bytes(); i < end; i++) {
            crc.update(frame[i] | MaskedBits.of(packet.flow, i));
        }
        return (int) crc.getValue();
    }

    /** Public fault 20, datenlord/blue-rdma pull request 9: the send queue computed wrong header lengths. */
    @Test
    void everyOpcodeHasTheHeaderLengthOfTheTable() throws IOException {
        try (InputStream in = PublicFrameFaultsTest.class.getResourceAsStream("opcodes.csv")) {
            String[] rows = new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1);
            int seen = 0;
            for (int i = 1; i < rows.length - 1; i++) {
                String[] row = rows[i].split(",", -1);
                Opcode opcode = Opcode.find(Integer.decode(row[2]));
                if (opcode != null) {
                    seen++;
                    RocePacket p = FrameArbitraries.packet(opcode, Encapsulation.IPV4, false, new Random(i));
                    int padded = p.payloadLength + PADDED - 1 & -PADDED;
                    int headers = encoded(p).length - p.flow.bytes() - padded - 4;
                    assertThat(headers).as(row[1]).isEqualTo(Integer.parseInt(row[4]));
                }
            }
            assertThat(seen).isGreaterThan(30);
        }
    }
}
