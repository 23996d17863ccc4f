package dev.clockwire.roce.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Every bit of a frame, one at a time: who notices? */
class FrameDamageTest {
    private static final int ETHERNET = 14;

    private final FrameDamage damage = new FrameDamage();

    private static RocePacket write(boolean ipv6, boolean bytes) {
        RocePacket p = new RocePacket();
        p.flow.dstMac = 0x0200_0000_0001L;
        p.flow.srcMac = 0x0200_0000_0002L;
        if (ipv6) {
            p.flow.setIpv6(0xFD00L << 48, 1, 0xFD00L << 48, 2);
        } else {
            p.flow.setIpv4(0x0A00_0001, 0x0A00_0002);
        }
        p.flow.udpSourcePort = 0xC123;
        p.opcode = Opcode.RC_RDMA_WRITE_ONLY.code();
        p.destQp = 0x123;
        p.psn = 0x456;
        p.va = 0x7000;
        p.rkey = 0x99;
        p.dmaLen = 13;
        p.setPayloadLength(13);
        if (bytes) {
            p.payload.appendBytes("thirteen char".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, 13);
        } else {
            p.payload.appendExtent(5, 6, 7, 13);
        }
        return p;
    }

    private enum Seen {
        NOT_AT_ALL,
        BAD,
        WELL
    }

    private Seen seen(RocePacket p, int bit) {
        p.flippedBit = bit;
        if (!damage.apply(p)) {
            return Seen.NOT_AT_ALL;
        }
        assertThat(p.flippedBit).isEqualTo(RocePacket.INTACT);
        return p.icrcOk ? Seen.WELL : Seen.BAD;
    }

    @Test
    void ipv4BitByBit() {
        int udp = ETHERNET + 20;
        int bth = udp + 8;
        for (int bit = 0; bit < write(false, true).wireBytes() * 8; bit++) {
            int at = bit / 8;
            Seen expected = at >= bth ? Seen.BAD : Seen.NOT_AT_ALL;
            if ((at >= 6 && at < 12) || at == bth + 4) {
                expected = Seen.WELL; // source MAC; FECN, BECN and reserved bits
            } else if (at == udp || at == udp + 1) {
                expected = Seen.BAD; // source port: only the ICRC covers it
            }
            assertThat(seen(write(false, true), bit))
                    .as("bit %d of byte %d", bit % 8, at)
                    .isEqualTo(expected);
        }
    }

    @Test
    void ipv6HasNoChecksumOfItsHeader() {
        int ip = ETHERNET;
        assertThat(seen(write(true, true), (ip + 1) * 8)).as("traffic class").isEqualTo(Seen.WELL);
        assertThat(seen(write(true, true), (ip + 7) * 8)).as("hop limit").isEqualTo(Seen.WELL);
        assertThat(seen(write(true, true), (ip + 8) * 8)).as("source address").isEqualTo(Seen.BAD);
        assertThat(seen(write(true, true), (ip + 24) * 8))
                .as("destination address")
                .isEqualTo(Seen.NOT_AT_ALL);
        assertThat(seen(write(true, true), ip * 8)).as("version").isEqualTo(Seen.NOT_AT_ALL);
    }

    @Test
    void itIsTheBitThatTheWireHas() {
        FrameEncoder encoder = new FrameEncoder();
        byte[] good = new byte[200];
        byte[] bad = new byte[200];
        RocePacket p = write(false, true);
        int length = encoder.encode(p, good, 0);
        for (int bit = 0; bit < length * 8; bit++) {
            p.flippedBit = bit;
            encoder.encode(p, bad, 0);
            BitSet differences = differences(good, bad, length);
            assertThat(differences.cardinality()).isEqualTo(1);
            // byte after byte, the top bit first
            assertThat(differences.nextSetBit(0)).isEqualTo(bit / 8 * 8 + 7 - bit % 8);
        }
    }

    private static BitSet differences(byte[] a, byte[] b, int length) {
        BitSet all = new BitSet();
        for (int i = 0; i < length * 8; i++) {
            all.set(i, ((a[i / 8] ^ b[i / 8]) >> i % 8 & 1) != 0);
        }
        return all;
    }

    @Test
    void thePayloadArrivesDamaged() {
        RocePacket p = write(false, true);
        int payload = p.wireBytes() - 4 - 3 - 13;
        assertThat(seen(p, payload * 8 + 7)).isEqualTo(Seen.BAD);
        assertThat(p.payload.array()[0]).isEqualTo((byte) ('t' ^ 1));
        assertThat(p.psn).isEqualTo(0x456);
        RocePacket q = write(false, true);
        int psn = 14 + 20 + 8 + 11;
        assertThat(seen(q, psn * 8 + 7)).isEqualTo(Seen.BAD);
        assertThat(q.psn).isEqualTo(0x457);
    }

    @Test
    void withoutPayloadBytesEveryBitDoesTheSame() {
        for (boolean ipv6 : new boolean[] {false, true}) {
            for (int bit = 0; bit < write(ipv6, true).wireBytes() * 8; bit++) {
                RocePacket bytes = write(ipv6, true);
                RocePacket sizes = write(ipv6, false);
                assertThat(seen(sizes, bit)).as("bit %d", bit).isEqualTo(seen(bytes, bit));
                assertThat(sizes.digest()).as("bit %d", bit).isEqualTo(bytes.digest());
                assertThat(sizes.payload.length()).isEqualTo(13);
            }
        }
    }

    @Test
    void aStrangersDecoderAgrees() {
        FrameEncoder encoder = new FrameEncoder();
        byte[] frame = new byte[200];
        RocePacket decoded = new RocePacket();
        RocePacket p = write(false, true);
        p.flippedBit = (p.wireBytes() - 1) * 8;
        int length = encoder.encode(p, frame, 0);
        assertThat(new FrameDecoder().decode(frame, 0, length, decoded)).isEqualTo(FrameVerdict.BAD_ICRC);
    }
}
