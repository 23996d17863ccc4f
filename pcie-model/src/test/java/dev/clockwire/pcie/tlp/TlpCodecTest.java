package dev.clockwire.pcie.tlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packets whose bytes are known from elsewhere: published walk-throughs of PCIe traffic and the codes of other models. */
class TlpCodecTest {
    private final TlpHeader h = new TlpHeader();

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private String encoded() {
        byte[] out = new byte[16];
        int n = TlpCodec.encode(h, out, 0);
        return HexFormat.of().formatHex(out, 0, n);
    }

    @Test
    void aWriteOfOneWord() {
        byte[] packet = bytes("40000001 0000000f fdaff040 12345678");
        assertThat(TlpCodec.decode(packet, 0, packet.length, h)).isEqualTo(DecodeResult.OK);
        assertThat(h.type).isEqualTo(TlpType.MWR);
        assertThat(h.lengthDw).isEqualTo(1);
        assertThat(h.firstBe).isEqualTo(0xf);
        assertThat(h.lastBe).isZero();
        assertThat(h.address).isEqualTo(0xfdaff040L);
        assertThat(encoded()).isEqualTo("400000010000000ffdaff040");
        h.memory(TlpType.MWR, 0xfdaff040L, 4, 0, 0);
        assertThat(encoded()).isEqualTo("400000010000000ffdaff040");
    }

    @Test
    void aReadAndItsCompletion() {
        h.memory(TlpType.MRD, 0xfdaff040L, 4, 0, 0x0c);
        assertThat(encoded()).isEqualTo("0000000100000c0ffdaff040");
        h.completion(0xfdaff040L, 4, 4, 0x0100, 0, 0x0c);
        assertThat(encoded()).isEqualTo("4a0000010100000400000c40");
        byte[] packet = bytes("4a000001 01000004 00000c40 12345678");
        assertThat(TlpCodec.decode(packet, 0, packet.length, h)).isEqualTo(DecodeResult.OK);
        assertThat(h.completerId).isEqualTo(0x100);
        assertThat(h.byteCount).isEqualTo(4);
        assertThat(h.lowerAddress).isEqualTo(0x40);
        assertThat(h.tag).isEqualTo(0x0c);
        assertThat(h.status).isEqualTo(CompletionStatus.SC);
    }

    @Test
    void aLongReadAboveFourGigabytes() {
        h.memory(TlpType.MRD, 0x1_2345_6789_abcdL, 4096 - 0xbcd, 0x0210, 0x3a5);
        h.attributes = TlpHeader.ATTR_RELAXED | TlpHeader.ATTR_IDO;
        h.trafficClass = 5;
        // tag bits 9 and 8 are both set; 1,076 - 1 + 1 bytes from offset 1 touch 0x10d DW
        assertThat(encoded()).isEqualTo("20dc210d0210a5fe00012345" + "6789abcc");
        assertThat(h.headerBytes()).isEqualTo(16);
    }

    @Test
    void lengthsAndCountsThatWrapToZero() {
        h.memory(TlpType.MWR, 0x1000, 4096, 1, 0);
        assertThat(encoded()).startsWith("40000000");
        h.completion(0x1000, 64, 4096, 0, 0, 0);
        assertThat(encoded()).isEqualTo("4a0000100000000000000000");
        byte[] header = bytes("4a000000 00000000 00000000");
        assertThat(TlpCodec.decodeHeader(header, 0, 12, h)).isEqualTo(DecodeResult.OK);
        assertThat(h.lengthDw).isEqualTo(1024);
        assertThat(h.byteCount).isEqualTo(4096);
    }

    @ParameterizedTest
    @CsvSource({
        "MRD, false, 00",
        "MRD, true, 20",
        "MWR, false, 40",
        "MWR, true, 60",
        "CPL, false, 0a",
        "CPLD, false, 4a",
        "CFGRD0, false, 04",
        "CFGWR0, false, 44",
        "CFGRD1, false, 05",
        "CFGWR1, false, 45",
        "IORD, false, 02",
        "IOWR, false, 42",
        "FETCH_ADD, false, 4c",
        "FETCH_ADD, true, 6c",
        "SWAP, false, 4d",
        "SWAP, true, 6d",
        "CAS, false, 4e",
        "CAS, true, 6e",
        "MRDLK, false, 01",
        "CPLLK, false, 0b",
        "CPLDLK, false, 4b"
    })
    void firstBytes(TlpType type, boolean fourDw, String expected) {
        h.type = type;
        h.fourDw = fourDw;
        assertThat(encoded()).startsWith(expected);
        assertThat(TlpType.ofFirstByte(Integer.parseInt(expected, 16))).isEqualTo(type);
    }

    @Test
    void messagesCarryTheirRoutingInTheTypeAndAreFourDwLong() {
        for (int routing = 0; routing < 8; routing++) {
            h.clear();
            h.type = routing % 2 == 0 ? TlpType.MSG : TlpType.MSGD;
            h.routing = routing;
            h.messageCode = 0x14;
            h.lengthDw = h.type.hasData() ? 1 : 0;
            String first = String.format("%02x", (h.type.hasData() ? 0x70 : 0x30) + routing);
            assertThat(encoded()).startsWith(first).hasSize(32);
            byte[] header = bytes(encoded());
            TlpHeader back = new TlpHeader();
            assertThat(TlpCodec.decodeHeader(header, 0, 16, back)).isEqualTo(DecodeResult.OK);
            assertThat(back.routing).isEqualTo(routing);
            assertThat(back.messageCode).isEqualTo(0x14);
        }
    }

    @Test
    void aConfigurationWrite() {
        h.type = TlpType.CFGWR0;
        h.lengthDw = 1;
        h.firstBe = 3;
        h.completerId = 0x0100;
        h.address = 0x104;
        h.tag = 9;
        assertThat(encoded()).isEqualTo("440000010000090301000104");
    }

    @Test
    void everyUndefinedFirstByteIsRefusedAndEveryDefinedOneIsUnique() {
        int defined = 0;
        for (int first = 0; first < 256; first++) {
            byte[] header = new byte[20];
            header[0] = (byte) first;
            header[3] = 1;
            DecodeResult result = TlpCodec.decodeHeader(header, 0, 16, h);
            if (result == DecodeResult.OK) {
                defined++;
                byte[] again = new byte[16];
                TlpCodec.encode(h, again, 0);
                assertThat(again[0]).isEqualTo((byte) first);
            } else {
                assertThat(result)
                        .isEqualTo(first >= 0x80 && first < 0xa0 ? DecodeResult.PREFIX : DecodeResult.UNDEFINED_TYPE);
            }
        }
        // 18 types: 6 memory-like ones in two forms, 2 messages with 8 routings, 10 others
        assertThat(defined).isEqualTo(6 * 2 + 2 * 8 + 10);
    }

    @Test
    void shortAndLongPacketsAreNamed() {
        byte[] packet = bytes("40000001 0000000f fdaff040 12345678");
        assertThat(TlpCodec.decode(packet, 0, 11, h)).isEqualTo(DecodeResult.TRUNCATED);
        assertThat(TlpCodec.decode(packet, 0, 12, h)).isEqualTo(DecodeResult.LENGTH_MISMATCH);
        assertThat(TlpCodec.decode(packet, 0, 15, h)).isEqualTo(DecodeResult.LENGTH_MISMATCH);
        assertThat(TlpCodec.decode(packet, 1, 16, h)).isEqualTo(DecodeResult.TRUNCATED);
        assertThat(TlpCodec.decode(packet, -1, 4, h)).isEqualTo(DecodeResult.TRUNCATED);
        assertThat(TlpCodec.decode(packet, 0, 0, h)).isEqualTo(DecodeResult.TRUNCATED);
        byte[] withDigest = bytes("40008001 0000000f fdaff040 12345678 aabbccdd");
        assertThat(TlpCodec.decode(withDigest, 0, 20, h)).isEqualTo(DecodeResult.OK);
        assertThat(h.digest).isTrue();
        assertThat(h.totalBytes()).isEqualTo(20);
        byte[] fourDw = bytes("20000001 0000000f 00000001");
        assertThat(TlpCodec.decodeHeader(fourDw, 0, 12, h)).isEqualTo(DecodeResult.TRUNCATED);
    }

    @Test
    void statusCodes() {
        assertThat(CompletionStatus.of(0)).isEqualTo(CompletionStatus.SC);
        assertThat(CompletionStatus.of(1)).isEqualTo(CompletionStatus.UR);
        assertThat(CompletionStatus.of(2)).isEqualTo(CompletionStatus.CRS);
        assertThat(CompletionStatus.of(4)).isEqualTo(CompletionStatus.CA);
        assertThat(CompletionStatus.of(3)).isEqualTo(CompletionStatus.RESERVED);
    }
}
