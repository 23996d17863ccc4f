package dev.clockwire.nic.ether;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hash, check sequence and flow rules, against published vectors and naive readings. */
class SteeringProperties {
    static byte[] udp(int type, String src, int srcPort, String dst, int dstPort, int protocol) {
        ByteBuffer b = ByteBuffer.allocate(80);
        b.put(new byte[] {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1});
        b.putShort((short) type);
        b.put((byte) 0x45)
                .put((byte) 0)
                .putShort((short) 60)
                .putInt(0)
                .put((byte) 64)
                .put((byte) protocol);
        b.putShort((short) 0).put(ip(src)).put(ip(dst));
        b.putShort((short) srcPort).putShort((short) dstPort);
        return b.array();
    }

    private static byte[] ip(String text) {
        byte[] out = new byte[4];
        String[] parts = text.split("\\.", -1);
        for (int i = 0; i < 4; i++) {
            out[i] = (byte) Integer.parseInt(parts[i]);
        }
        return out;
    }

    /** Microsoft's table of RSS hashes over IPv4: destination, source, hash of the addresses, hash with TCP ports. */
    @ParameterizedTest
    @CsvSource({
        "161.142.100.80, 1766, 66.9.149.187, 2794, 323e8fc2, 51ccc178",
        "65.69.140.83, 4739, 199.92.111.2, 14230, d718262a, c626b0ea",
        "12.22.207.184, 38024, 24.19.198.95, 12898, d2d0a5de, 5c2b394a",
        "209.142.163.6, 2217, 38.27.205.30, 48228, 82989176, afc7327f",
        "202.188.127.2, 1303, 153.39.163.191, 44251, 5d1809c5, 10e828a2"
    })
    void hashesAreThoseOfTheTable(String dst, int dstPort, String src, int srcPort, String ip, String tcp) {
        Toeplitz hash = new Toeplitz(Toeplitz.usualKey());
        FrameFields f = new FrameFields();
        byte[] withPorts = udp(FrameFields.IPV4, src, srcPort, dst, dstPort, FrameFields.TCP);
        f.read(withPorts, withPorts.length);
        assertThat(Integer.toHexString(hash.of(withPorts, f))).isEqualTo(tcp);
        byte[] without = udp(FrameFields.IPV4, src, srcPort, dst, dstPort, 1);
        f.read(without, without.length);
        assertThat(Integer.toHexString(hash.of(without, f))).isEqualTo(ip);
    }

    /** Microsoft's first row over IPv6. */
    @Test
    void hashesOverIpv6() {
        ByteBuffer b = ByteBuffer.allocate(80);
        b.put(new byte[12])
                .putShort((short) FrameFields.IPV6)
                .putInt(0x6000_0000)
                .putShort((short) 20);
        b.put((byte) FrameFields.TCP).put((byte) 64);
        b.putLong(0x3ffe_2501_0200_1fffL).putLong(7); // 3ffe:2501:200:1fff::7
        b.putLong(0x3ffe_2501_0200_0003L).putLong(1); // 3ffe:2501:200:3::1
        b.putShort((short) 2794).putShort((short) 1766);
        FrameFields f = new FrameFields();
        f.read(b.array(), 80);
        assertThat(Integer.toHexString(new Toeplitz(Toeplitz.usualKey()).of(b.array(), f)))
                .isEqualTo("40207d3d");
    }

    @Test
    void frameCheckSequenceOfAKnownFrame() {
        EthFrame frame = new EthFrame();
        byte[] digits = "123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        frame.resize(digits.length);
        System.arraycopy(digits, 0, frame.bytes, 0, digits.length);
        assertThat(frame.check()).as("the check value of CRC-32").isEqualTo(0xCBF43926);
        frame.seal();
        assertThat(frame.length).isEqualTo(60);
        CRC32 crc = new CRC32();
        crc.update(frame.bytes, 0, 60);
        assertThat(frame.fcs).isEqualTo((int) crc.getValue());
    }

    /** Of rules drawn at random, the one of the lowest location that fits wins: a reading that looks at every rule agrees. */
    @Property
    void theLowestLocationThatFitsWins(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int rules) {
        Random random = new Random(seed);
        EthTable table = new EthTable();
        List<EthTable.Ring> rings = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            rings.add(new EthTable.Ring(0, 4, i));
        }
        table.open(rings, rings, 1500);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < rules; i++) {
            int location = random.nextInt(30);
            String text = text(random, location);
            texts.removeIf(t -> t.endsWith(" loc " + location));
            texts.add(text);
            table.add(FlowRule.parse(text));
        }
        for (int i = 0; i < 40; i++) {
            String src = "10.0.0." + random.nextInt(3);
            String dst = "10.0." + random.nextInt(2) + ".1";
            int protocol = random.nextBoolean() ? 6 : 17;
            int type = random.nextInt(5) == 0 ? 0x0806 : FrameFields.IPV4;
            int srcPort = random.nextInt(3);
            int dstPort = 4790 + random.nextInt(3);
            byte[] frame = udp(type, src, srcPort, dst, dstPort, protocol);
            FrameFields f = new FrameFields();
            f.read(frame, frame.length);
            FlowRule found = table.rule(f);
            int wanted = naive(texts, type, protocol, src, dst, dstPort);
            assertThat(found == null ? Integer.MAX_VALUE : found.location()).isEqualTo(wanted);
        }
    }

    private static String text(Random random, int location) {
        String text = "flow-type " + List.of("ether", "ip4", "tcp4", "udp4").get(random.nextInt(4));
        boolean ether = text.endsWith("ether");
        text += ether && random.nextBoolean() ? " proto 0x0806" : "";
        text += !ether && random.nextBoolean() ? " src-ip 10.0.0." + random.nextInt(3) : "";
        text += !ether && random.nextInt(3) == 0 ? " dst-ip 10.0.1.9 m 0.0.0.255" : "";
        text += text.contains("p4 src") || text.contains("tcp4") || text.contains("udp4") ? ports(random) : "";
        return text + " action " + (random.nextInt(9) - 1) + " loc " + location;
    }

    private static String ports(Random random) {
        return random.nextBoolean() ? " dst-port " + (4790 + random.nextInt(3)) : "";
    }

    /** Reads the rules' words again for each frame. */
    private static int naive(List<String> texts, int type, int protocol, String src, String dst, int dstPort) {
        int best = Integer.MAX_VALUE;
        boolean ip = type == FrameFields.IPV4;
        for (String text : texts) {
            boolean fits = text.startsWith("flow-type ether") || ip;
            fits &= !text.contains("tcp4") || protocol == 6;
            fits &= !text.contains("udp4") || protocol == 17;
            fits &= !text.contains("proto 0x0806") || type == 0x0806;
            fits &= !text.contains("src-ip") || text.contains("src-ip " + src + " ");
            fits &= !text.contains("dst-ip") || dst.startsWith("10.0.1.");
            fits &= !text.contains("dst-port") || (ip && text.contains("dst-port " + dstPort + " "));
            if (fits) {
                best = Math.min(best, Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1)));
            }
        }
        return best;
    }

    @Test
    void wordsThatAreNotUnderstoodAreNamed() {
        assertThatThrownBy(() -> FlowRule.parse("flow-type sctp4 action 1")).hasMessageContaining("'sctp4'");
        assertThatThrownBy(() -> FlowRule.parse("flow-type udp4 src-ip 10.0.0.256 action 1"))
                .hasMessageContaining("'10.0.0.256' where an IPv4 address is due");
        assertThatThrownBy(() -> FlowRule.parse("flow-type udp4 dst-port"))
                .hasMessageContaining("ends behind 'dst-port'");
        assertThatThrownBy(() -> FlowRule.parse("flow-type udp4 dst-port 70000 action 0"))
                .hasMessageContaining("dst-port 70000 is not in -1..65535");
        assertThatThrownBy(() -> FlowRule.parse("flow-type udp4")).hasMessageContaining("lacks an action");
    }
}
