package dev.clockwire.nic.ether;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Internet checksums against published examples and a sum of one's complement words that is written another way. */
class ChecksumsTest {
    private static final int L3 = Checksums.L3_OK;
    private static final int L4 = Checksums.L4_OK;

    private final FrameFields fields = new FrameFields();
    private final Random random = new Random(1);

    private EthFrame frame(byte[] bytes) {
        EthFrame frame = new EthFrame();
        frame.resize(bytes.length);
        System.arraycopy(bytes, 0, frame.bytes, 0, bytes.length);
        fields.read(frame.bytes, frame.length);
        return frame;
    }

    private static void put(byte[] f, int at, int value) {
        f[at] = (byte) (value >>> 8);
        f[at + 1] = (byte) value;
    }

    /** A frame of random bytes with the fields that matter: IP at 14 or behind a VLAN tag, IPv4 with so many words of header. */
    private byte[] bytes(boolean vlan, int ipWords, int protocol, int data) {
        int ip = vlan ? 18 : 14;
        int header = ipWords > 0 ? ipWords * 4 : 40;
        int transport = protocol == FrameFields.TCP ? 20 : 8;
        byte[] f = new byte[ip + header + transport + data];
        random.nextBytes(f);
        put(f, 12, 0x8100);
        put(f, ip - 2, ipWords > 0 ? FrameFields.IPV4 : FrameFields.IPV6);
        if (ipWords > 0) {
            f[ip] = (byte) (0x40 | ipWords);
            put(f, ip + 2, header + transport + data);
            put(f, ip + 6, 0x4000);
            f[ip + 9] = (byte) protocol;
        } else {
            put(f, ip + 4, transport + data);
            f[ip + 6] = (byte) protocol;
        }
        return f;
    }

    /** RFC 1071, section 3: the sum of these words is ddf2. */
    @Test
    void theExampleOfTheRfc() {
        byte[] b = HexFormat.of().parseHex("0001f203f4f5f6f7");
        assertThat(Checksums.sum(b, 0, 8)).isEqualTo(0xDDF2);
        assertThat(Checksums.sum(b, 0, 7)).as("an odd byte is the upper half").isEqualTo(0xDDF2 - 0xF7);
        assertThat(Checksums.sum(b, 2, 4)).isEqualTo(0xF203);
        assertThat(Checksums.sum(b, 3, 4)).isEqualTo(0x0300);
        assertThat(Checksums.sum(b, 4, 4)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1500, 65_535, 200_000})
    void sumsFoldUntilNothingCarries(int bytes) {
        byte[] b = new byte[bytes];
        java.util.Arrays.fill(b, (byte) 0xFF);
        assertThat(Checksums.sum(b, 0, bytes)).isEqualTo(bytes == 1 ? 0xFF00 : bytes % 2 == 0 ? 0xFFFF : 0xFF00);
    }

    /** A published IPv4 header, whose checksum is b861. */
    @Test
    void aKnownHeader() {
        byte[] f = new byte[14 + 20 + 95];
        put(f, 12, FrameFields.IPV4);
        System.arraycopy(HexFormat.of().parseHex("450000730000400040110000c0a80001c0a800c7"), 0, f, 14, 20);
        EthFrame frame = frame(f);
        assertThat(Checksums.fill(frame, fields, true, false)).isTrue();
        assertThat(Checksums.sum(frame.bytes, 24, 26)).isEqualTo(0xB861);
        assertThat(Checksums.check(frame, fields) & L3).isEqualTo(L3);
        frame.bytes[30] ^= 1;
        assertThat(Checksums.check(frame, fields) & L3).isZero();
    }

    private static long words(byte[] f, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += (long) (f[i] & 0xFF) << ((i - from) % 2 == 0 ? 8 : 0);
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({
        "false,5,17,100",
        "false,6,17,101",
        "true,15,6,1000",
        "false,0,17,33",
        "true,0,6,64",
        "false,5,6,0",
        "true,5,17,0"
    })
    void whatIsMadeIsRightAndIsFoundRight(boolean vlan, int ipWords, int protocol, int data) {
        int ip = vlan ? 18 : 14;
        int behind = ip + (ipWords > 0 ? ipWords * 4 : 40);
        for (int i = 0; i < 20; i++) {
            byte[] f = bytes(vlan, ipWords, protocol, data);
            EthFrame frame = frame(f);
            assertThat(Checksums.fill(frame, fields, true, true)).isTrue();
            byte[] got = frame.bytes;
            if (ipWords > 0) {
                assertThat(words(got, ip, behind) % 0xFFFF).isZero();
            }
            long pseudo = ipWords > 0 ? words(got, ip + 12, ip + 20) : words(got, ip + 8, ip + 40);
            assertThat((pseudo + protocol + f.length - behind + words(got, behind, f.length)) % 0xFFFF)
                    .isZero();
            assertThat(Checksums.check(frame, fields)).isEqualTo(Checksums.IP | L3 | Checksums.L4 | L4);
            got[behind + 4] ^= 0x10;
            assertThat(Checksums.check(frame, fields)).isEqualTo(Checksums.IP | L3 | Checksums.L4);
            got[behind + 4] ^= 0x10;
            for (int at = 0; at < f.length; at++) {
                boolean l3 = ipWords > 0 && (at == ip + 10 || at == ip + 11);
                boolean l4 = at == behind + (protocol == 6 ? 16 : 6) || at == behind + (protocol == 6 ? 17 : 7);
                if (!l3 && !l4) {
                    assertThat(got[at]).as("byte " + at).isEqualTo(f[at]);
                }
            }
        }
    }

    @Test
    void onlyWhatIsAskedForIsMade() {
        byte[] f = bytes(false, 5, 17, 40);
        EthFrame frame = frame(f);
        assertThat(Checksums.fill(frame, fields, false, false)).isFalse();
        assertThat(frame.bytes).startsWith(f);
        assertThat(Checksums.fill(frame, fields, true, false)).isTrue();
        assertThat(Checksums.check(frame, fields) & (L3 | L4)).isEqualTo(L3);
        EthFrame other = frame(f);
        assertThat(Checksums.fill(other, fields, false, true)).isTrue();
        assertThat(Checksums.check(other, fields) & (L3 | L4)).isEqualTo(L4);
        EthFrame six = frame(bytes(false, 0, 17, 40));
        assertThat(Checksums.fill(six, fields, true, false))
                .as("IPv6 has none of its own")
                .isFalse();
    }

    /** A UDP datagram over IPv4 may have none; a checksum that comes out as 0 is sent as ffff (RFC 768). */
    @Test
    void zeroIsNoChecksumOfUdp() {
        byte[] f = bytes(false, 5, 17, 2);
        EthFrame frame = frame(f);
        put(frame.bytes, 14 + 20 + 6, 0);
        assertThat(Checksums.check(frame, fields) & (Checksums.L4 | L4)).isZero();
        Checksums.fill(frame, fields, true, true);
        int check = (frame.bytes[40] & 0xFF) << 8 | (frame.bytes[41] & 0xFF);
        int data = (frame.bytes[42] & 0xFF) << 8 | (frame.bytes[43] & 0xFF);
        long sum = data + (long) check; // with this much more in the data the checksum comes out as 0
        put(frame.bytes, 42, (int) (sum % 0xFFFF));
        Checksums.fill(frame, fields, true, true);
        assertThat(words(frame.bytes, 40, 42)).isEqualTo(0xFFFF);
        assertThat(Checksums.check(frame, fields)).isEqualTo(Checksums.IP | L3 | Checksums.L4 | L4);
        byte[] tcp = bytes(false, 5, 6, 2);
        EthFrame t = frame(tcp);
        put(t.bytes, 14 + 20 + 16, 0);
        assertThat(Checksums.check(t, fields) & Checksums.L4)
                .as("TCP always has one")
                .isNotZero();
        byte[] six = bytes(false, 0, 17, 2);
        EthFrame s = frame(six);
        put(s.bytes, 14 + 40 + 6, 0);
        assertThat(Checksums.check(s, fields) & Checksums.L4)
                .as("UDP over IPv6 too")
                .isNotZero();
    }

    /** Frames that end before what their headers say. */
    @ParameterizedTest
    @CsvSource({"false,5,17,0", "false,5,6,0", "true,6,17,3", "false,0,17,0", "true,0,6,1"})
    void whatIsCutOffHasNone(boolean vlan, int ipWords, int protocol, int data) {
        byte[] f = bytes(vlan, ipWords, protocol, data);
        int ip = vlan ? 18 : 14;
        int header = ipWords > 0 ? ipWords * 4 : 40;
        for (int length = 0; length <= f.length; length++) {
            EthFrame frame = frame(java.util.Arrays.copyOf(f, length));
            int found = Checksums.check(frame, fields);
            boolean hasIp = length >= ip + header && (ipWords != 0 || length >= ip + 40);
            assertThat((found & Checksums.IP) != 0).as("IP at " + length).isEqualTo(hasIp);
            assertThat((found & Checksums.L4) != 0).as("L4 at " + length).isEqualTo(length == f.length);
            assertThat(Checksums.fill(frame, fields, false, true)).isEqualTo(length == f.length);
            assertThat(Checksums.fill(frame, fields, true, false)).isEqualTo(hasIp && ipWords > 0);
        }
    }

    @Test
    void lengthsThatLieAreFoundOut() {
        byte[] f = bytes(false, 5, 17, 40);
        put(f, 16, 20 + 8 + 41);
        assertThat(Checksums.check(frame(f), fields) & Checksums.L4)
                .as("longer than the frame")
                .isZero();
        put(f, 16, 20 + 7);
        assertThat(Checksums.check(frame(f), fields) & Checksums.L4)
                .as("shorter than UDP")
                .isZero();
        put(f, 16, 20 + 8);
        assertThat(Checksums.check(frame(f), fields) & Checksums.L4)
                .as("the rest is padding")
                .isNotZero();
        f[14] = 0x44;
        assertThat(Checksums.check(frame(f), fields)).as("a header of 16 bytes").isZero();
        byte[] arp = new byte[60];
        put(arp, 12, 0x0806);
        assertThat(Checksums.check(frame(arp), fields)).isZero();
        assertThat(Checksums.fill(frame(arp), fields, true, true)).isFalse();
    }

    @Test
    void fragmentsHaveNoneAboveIp() {
        byte[] f = bytes(false, 5, 17, 40);
        put(f, 20, 0x2000);
        EthFrame frame = frame(f);
        assertThat(Checksums.fill(frame, fields, false, true)).isFalse();
        assertThat(Checksums.fill(frame, fields, true, true)).as("that of IP").isTrue();
        assertThat(Checksums.check(frame, fields)).isEqualTo(Checksums.IP | L3);
    }
}
