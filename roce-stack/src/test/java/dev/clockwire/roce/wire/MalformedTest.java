package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Frames that break one rule each. Those whose ICRC was made to fit again show that the ICRC alone is not enough. */
class MalformedTest {
    private static final int IP = 14;
    private static final int UDP = 34;
    private static final int BTH = 42;

    private final FrameDecoder decoder = new FrameDecoder();
    private final RocePacket packet = new RocePacket();

    /** A WRITE ONLY of five bytes over IPv4, 82 bytes in all, pad 3. */
    private static byte[] write() {
        return Vectors.named("S1_").frame();
    }

    private FrameVerdict decode(byte[] frame) {
        return decoder.decode(frame, 0, frame.length, packet);
    }

    /** Changes a frame, makes ICRC and IPv4 checksum fit again, and decodes it. */
    private FrameVerdict repaired(byte[] frame, Consumer<byte[]> change) {
        change.accept(frame);
        Bytes.put16(frame, IP + 10, 0);
        Bytes.put16(frame, IP + 10, ~Checksum.ofWords(frame, IP, 20));
        int end = IP + Bytes.get16(frame, IP + 2);
        int crc = new Icrc().of(frame, IP, BTH, end - 4, Encapsulation.IPV4);
        Bytes.put32(frame, end - 4, Integer.reverseBytes(crc));
        return decode(frame);
    }

    private static void setLengths(byte[] frame, int transport) {
        Bytes.put16(frame, IP + 2, 28 + transport);
        Bytes.put16(frame, UDP + 4, 8 + transport);
    }

    @Test
    void anUntouchedFrameStaysGoodWhenRepaired() {
        assertThat(repaired(write(), frame -> {})).isEqualTo(FrameVerdict.OK);
        assertThat(packet.payloadLength).isEqualTo(5);
    }

    @Test
    void otherProtocolsAreNotRoce() {
        assertThat(decode(new byte[0])).isEqualTo(FrameVerdict.NOT_ROCE);
        assertThat(decode(new byte[60])).isEqualTo(FrameVerdict.NOT_ROCE);
        byte[] tcp = write();
        tcp[IP + 9] = 6;
        assertThat(decode(tcp)).isEqualTo(FrameVerdict.NOT_ROCE);
        byte[] otherPort = write();
        Bytes.put16(otherPort, UDP + 2, 4790);
        assertThat(decode(otherPort)).isEqualTo(FrameVerdict.NOT_ROCE);
        byte[] shortHeader = write();
        shortHeader[IP] = 0x44;
        assertThat(decode(shortHeader)).isEqualTo(FrameVerdict.NOT_ROCE);
        byte[] arp = write();
        Bytes.put16(arp, 12, 0x0806);
        assertThat(decode(arp)).isEqualTo(FrameVerdict.NOT_ROCE);
        byte[] onlyTags = new byte[64];
        for (int at = 12; at < 64; at += 4) {
            Bytes.put16(onlyTags, at, 0x8100);
        }
        assertThat(decode(onlyTags)).isEqualTo(FrameVerdict.NOT_ROCE);
        assertThat(FrameVerdict.NOT_ROCE.isRoce()).isFalse();
        assertThat(FrameVerdict.NOT_ROCE.isMalformed()).isFalse();
    }

    /** The shortest frame in which a RoCE packet can be recognised ends with its UDP header, or with its GRH. */
    @Test
    void theShortestFramesThatCanBeRecognised() {
        String[] names = {"S1_", "S10_", "P4_"};
        int[] shortest = {42, 62, 54};
        for (int i = 0; i < names.length; i++) {
            byte[] frame = Vectors.named(names[i]).frame();
            assertThat(decoder.decode(frame, 0, shortest[i], packet)).isEqualTo(FrameVerdict.CUT_IN_HEADERS);
            assertThat(decoder.decode(frame, 0, shortest[i] - 1, packet)).isEqualTo(FrameVerdict.NOT_ROCE);
        }
        byte[] tag = Arrays.copyOf(write(), 18);
        Bytes.put16(tag, 12, 0x8100);
        for (int length = 0; length <= 18; length++) {
            assertThat(decoder.decode(tag, 0, length, packet)).isEqualTo(FrameVerdict.NOT_ROCE);
        }
        assertThat(packet.flow.vlan).isEqualTo(Bytes.get16(write(), 14));
    }

    @Test
    void severalTagsAreLookedThrough() {
        byte[] frame = write();
        byte[] tagged = new byte[frame.length + 8];
        System.arraycopy(frame, 0, tagged, 0, 12);
        Bytes.put32(tagged, 12, 0x88A8_6064);
        Bytes.put32(tagged, 16, 0x8100_2005);
        System.arraycopy(frame, 12, tagged, 20, frame.length - 12);
        assertThat(decode(tagged)).isEqualTo(FrameVerdict.OK);
        assertThat(packet.flow.vlan).isEqualTo(0x6064);
    }

    @Test
    void aLengthThatEndsBeforeTheIcrc() {
        byte[] frame = write();
        Bytes.put16(frame, IP + 2, 28 + 15);
        assertThat(decode(frame)).isEqualTo(FrameVerdict.TOO_SHORT);
        Bytes.put16(frame, IP + 2, 0);
        assertThat(decode(frame)).isEqualTo(FrameVerdict.TOO_SHORT);
        assertThat(FrameVerdict.TOO_SHORT.isWhole()).isFalse();
        assertThat(FrameVerdict.TOO_SHORT.isMalformed()).isTrue();
        Bytes.put16(frame, IP + 2, 28 + 16);
        assertThat(decode(frame)).isEqualTo(FrameVerdict.BAD_ICRC);
        Bytes.put16(frame, IP + 2, 0xFFFF);
        assertThat(decode(frame)).isEqualTo(FrameVerdict.TRUNCATED);
    }

    @Test
    void theSmallestPacketThereIs() {
        byte[] frame = Arrays.copyOf(write(), BTH + 16);
        assertThat(repaired(frame, f -> {
                    setLengths(f, 16);
                    f[BTH] = (byte) Opcode.RC_SEND_ONLY.code();
                    f[BTH + 1] = 0;
                }))
                .isEqualTo(FrameVerdict.OK);
        assertThat(packet.payloadLength).isZero();
    }

    @Test
    void ipHeaders() {
        byte[] checksum = write();
        checksum[IP + 10] ^= 1;
        assertThat(decode(checksum)).isEqualTo(FrameVerdict.IP_CHECKSUM);
        assertThat(packet.icrcOk).isTrue();
        assertThat(repaired(write(), f -> f[IP] = 0x55)).isEqualTo(FrameVerdict.IP_VERSION);
        assertThat(repaired(write(), f -> f[IP + 6] = 0x20)).isEqualTo(FrameVerdict.IP_FRAGMENT);
        assertThat(repaired(write(), f -> f[IP + 7] = 1)).isEqualTo(FrameVerdict.IP_FRAGMENT);
        assertThat(repaired(write(), f -> f[IP + 6] = 0)).isEqualTo(FrameVerdict.OK);
    }

    @Test
    void ipOptions() {
        byte[] frame = write();
        byte[] longer = new byte[frame.length + 4];
        System.arraycopy(frame, 0, longer, 0, IP + 20);
        System.arraycopy(frame, IP + 20, longer, IP + 24, frame.length - IP - 20);
        longer[IP] = 0x46;
        Bytes.put16(longer, IP + 2, Bytes.get16(frame, IP + 2) + 4);
        assertThat(decode(longer)).isEqualTo(FrameVerdict.BAD_ICRC);
        int crc = new Icrc().of(longer, IP, BTH + 4, longer.length - 4, Encapsulation.IPV4);
        Bytes.put32(longer, longer.length - 4, Integer.reverseBytes(crc));
        assertThat(decode(longer)).isEqualTo(FrameVerdict.IP_OPTIONS);
        assertThat(FrameVerdict.IP_OPTIONS.isWhole()).isTrue();
        assertThat(FrameVerdict.IP_OPTIONS.isMalformed()).isTrue();
    }

    @Test
    void ipv6AndGrhVersions() {
        byte[] ipv6 = Vectors.named("S10_").frame();
        ipv6[IP] = 0x51;
        assertThat(decode(ipv6)).isEqualTo(FrameVerdict.BAD_ICRC);
        int crc = new Icrc().of(ipv6, IP, IP + 48, ipv6.length - 4, Encapsulation.IPV6);
        Bytes.put32(ipv6, ipv6.length - 4, Integer.reverseBytes(crc));
        assertThat(decode(ipv6)).isEqualTo(FrameVerdict.IP_VERSION);
        byte[] grh = Vectors.named("P4_").frame();
        grh[IP + 6] = 17;
        crc = new Icrc().of(grh, IP, IP + 40, grh.length - 4, Encapsulation.GRH);
        Bytes.put32(grh, grh.length - 4, Integer.reverseBytes(crc));
        assertThat(decode(grh)).isEqualTo(FrameVerdict.IP_VERSION);
    }

    @Test
    void udpLengthAndChecksum() {
        assertThat(repaired(write(), f -> Bytes.put16(f, UDP + 4, 47))).isEqualTo(FrameVerdict.UDP_LENGTH);
        assertThat(repaired(write(), f -> Bytes.put16(f, UDP + 6, 0x1234))).isEqualTo(FrameVerdict.UDP_CHECKSUM);
        byte[] good = Vectors.named("P2_").frame();
        assertThat(decode(good)).isEqualTo(FrameVerdict.OK);
        good[UDP + 7] ^= 1;
        assertThat(decode(good)).isEqualTo(FrameVerdict.UDP_CHECKSUM);
        byte[] ipv6 = Vectors.named("P3_").frame();
        assertThat(Bytes.get16(ipv6, IP + 46)).isNotZero();
        assertThat(decode(ipv6)).isEqualTo(FrameVerdict.OK);
        ipv6[IP + 46] ^= 1;
        assertThat(decode(ipv6)).isEqualTo(FrameVerdict.UDP_CHECKSUM);
    }

    @Test
    void transportHeaders() {
        assertThat(repaired(write(), f -> f[BTH + 1] |= 1)).isEqualTo(FrameVerdict.BTH_VERSION);
        assertThat(packet.tver).isEqualTo(1);
        assertThat(repaired(write(), f -> f[BTH] = 0x15)).isEqualTo(FrameVerdict.UNKNOWN_OPCODE);
        assertThat(packet.opcode).isEqualTo(0x15);
        assertThat(repaired(write(), f -> f[BTH] = 0x0C)).isEqualTo(FrameVerdict.UNEXPECTED_PAYLOAD);
        assertThat(repaired(write(), f -> setLengths(f, 12 + 12 + 4))).isEqualTo(FrameVerdict.HEADERS_CUT);
        assertThat(repaired(write(), f -> setLengths(f, 12 + 16 + 4)))
                .as("three pad bytes and no room for them")
                .isEqualTo(FrameVerdict.HEADERS_CUT);
        assertThat(repaired(write(), f -> setLengths(f, 12 + 16 + 5 + 4))).isEqualTo(FrameVerdict.UNPADDED);
        assertThat(repaired(write(), f -> f[BTH + 1] = 0))
                .as("the pad count decides what is payload")
                .isEqualTo(FrameVerdict.OK);
        assertThat(packet.payloadLength).isEqualTo(8);
    }

    @Test
    void aBadIcrcHidesEverythingElse() {
        byte[] frame = write();
        frame[BTH] = 0x15;
        frame[BTH + 1] |= 1;
        assertThat(decode(frame)).isEqualTo(FrameVerdict.BAD_ICRC);
        assertThat(FrameVerdict.BAD_ICRC.isMalformed()).isFalse();
        assertThat(FrameVerdict.BAD_ICRC.isWhole()).isTrue();
        assertThat(FrameVerdict.OK.isWhole()).isTrue();
        assertThat(FrameVerdict.OK.isMalformed()).isFalse();
    }

    @Test
    void aCutFrameTellsTheTruePayloadLength() {
        byte[] frame = Vectors.named("S16_").frame();
        assertThat(decoder.decode(frame, 0, 58, packet)).isEqualTo(FrameVerdict.TRUNCATED);
        assertThat(packet.payloadLength).isEqualTo(1024);
        assertThat(packet.wireBytes()).isEqualTo(frame.length);
        frame[BTH] = 0x15;
        assertThat(decoder.decode(frame, 0, 58, packet)).isEqualTo(FrameVerdict.TRUNCATED);
        assertThat(packet.payloadLength).isZero();
        assertThat(decoder.decode(frame, 0, BTH + 12, packet)).isEqualTo(FrameVerdict.TRUNCATED);
        assertThat(decoder.decode(frame, 0, BTH + 11, packet)).isEqualTo(FrameVerdict.CUT_IN_HEADERS);
    }

    @Test
    void everyVerdictSaysWhatIsWrong() {
        assertThat(Arrays.stream(FrameVerdict.values()).map(FrameVerdict::text))
                .doesNotHaveDuplicates()
                .allSatisfy(text -> assertThat(text).isNotBlank());
    }
}
