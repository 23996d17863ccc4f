package dev.clockwire.storage.hoststack.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames as strangers read them. */
class TcpSegmentTest {
    @TempDir
    Path folder;

    /** A SYN of a Linux host, as tcpdump shows it, with the options that are not looked at. */
    @Test
    void aSynOfLinuxIsRead() {
        byte[] f = HexFormat.of()
                .parseHex(
                        "000000000002000000000001" + "0800" + "4500003c1c4640004006" + "b1e6" + "ac10000a" + "ac10000c"
                                + "c9f6114429e8ed7d00000000a002faf0" + "0000" + "0000"
                                + "020405b40402080a0f9b3f1e0000000001030307");
        TcpSegment s = new TcpSegment();
        assertThat(s.read(f, f.length, true)).isTrue();
        assertThat(s.srcPort).isEqualTo(0xC9F6);
        assertThat(s.dstPort).isEqualTo(4420);
        assertThat(s.seq).isEqualTo(0x29E8ED7D);
        assertThat(s.flags).isEqualTo(TcpSegment.SYN);
        assertThat(s.mss).isEqualTo(1460);
        assertThat(s.scale).isEqualTo(7);
        assertThat(s.length()).isEqualTo(1);
        assertThat(s.read(f, f.length, false)).as("its TCP checksum is blank").isFalse();
    }

    /** The example of RFC 1071's arithmetic in every textbook: 172.16.10.99 to 172.16.10.12, checksum b1e6. */
    @Test
    void theChecksumOfTheIpHeaderIsTheKnownOne() {
        byte[] frame = new byte[200];
        TcpSegment s = new TcpSegment();
        s.flow(new TcpFlow(1, 2, 0xAC10_0A63, 0xAC10_0A0C, 1, 2));
        s.ident = 0x1C46;
        s.mss = 1460;
        s.scale = 7;
        assertThat(s.write(frame, 12, true)).isEqualTo(14 + 60);
        assertThat(frame[24] & 0xFF).isEqualTo(0xB1);
        assertThat(frame[25] & 0xFF).isEqualTo(0xE6);
    }

    @Test
    void everyFlippedBitIsFound() {
        byte[] frame = new byte[54 + 33];
        TcpSegment s = new TcpSegment().flow(new TcpFlow(1, 2, 3, 4, 5, 6));
        s.flags = TcpSegment.ACK;
        for (int i = 54; i < frame.length; i++) {
            frame[i] = (byte) (i * 7);
        }
        assertThat(s.write(frame, 33, true)).isEqualTo(87);
        assertThat(s.read(frame, 87, false)).isTrue();
        for (int bit = 14 * 8; bit < 87 * 8; bit++) {
            flip(frame, bit);
            assertThat(s.read(frame, 87, false)).as("bit " + bit).isFalse();
            flip(frame, bit);
        }
    }

    private static void flip(byte[] b, int bit) {
        b[bit / 8] = (byte) (b[bit / 8] ^ 1 << bit % 8);
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> TcpSpec.linux().withMtu(500))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("MTU 500 is not in 576..9978");
        assertThatThrownBy(() -> TcpSpec.linux().withBuffers(5000, 1 << 16)).hasMessageContaining("nearest: 4096");
        assertThatThrownBy(() -> TcpSpec.linux().withOffloads(70_000, true)).hasMessageContaining("65535");
        assertThatThrownBy(() -> TcpSpec.linux().withTimes(-1, 1)).hasMessageContaining("delayed");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(new ArrayList<>(List.of(command)))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            boolean mustExist = "true".equals(System.getenv("CI"));
            assumeTrue(mustExist, command[0] + " is not installed: what it would say is not tested");
            throw new AssertionError(command[0] + " must be installed when CI=true", e);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** tshark finds both checksums right in every frame, and calls retransmissions what was sent again. */
    @Test
    void tsharkFollowsAConnectionWithLosses() throws Exception {
        AtomicInteger data = new AtomicInteger();
        TcpSpec spec = TcpSpec.linux().withOffloads(0, true);
        TcpPair p = new TcpPair(
                spec,
                spec,
                (n, a, f) -> f.length > 1000 && (data.getAndIncrement() == 25 || data.get() == 40)
                        ? new long[0]
                        : new long[] {100 * TcpPair.US});
        p.a.closes = true;
        p.b.closes = true;
        byte[] bytes = TcpPair.bytes(120_000, 1);
        p.a.send(bytes);
        p.a.tcp.connect(0x7FFF_FF00, 0);
        p.run(1000 * TcpPair.MS);
        assertThat(p.b.received()).isEqualTo(bytes);
        assertThat(p.a.tcp.resent()).isPositive();
        Path file = folder.resolve("tcp.pcapng");
        try (PcapngWriter writer = PcapngWriter.create(file, "clockwire", "test")) {
            writer.addInterface("a");
            writer.addInterface("b");
            for (int i = 0; i < p.frames.size(); i++) {
                byte[] f = p.frames.get(i);
                writer.write(p.fromA.get(i) ? 0 : 1, p.sentAt.get(i), f, 0, f.length, f.length);
            }
            writer.commit();
        }
        String[] checks = {"-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"};
        String lines = run(
                "tshark",
                "-r",
                file.toString(),
                checks[0],
                checks[1],
                checks[2],
                checks[3],
                "-T",
                "fields",
                "-e",
                "ip.checksum.status",
                "-e",
                "tcp.checksum.status",
                "-e",
                "tcp.analysis.retransmission",
                "-e",
                "_ws.malformed");
        List<String> rows = lines.lines().toList();
        assertThat(rows).hasSameSizeAs(p.frames).allMatch(r -> r.startsWith("1\t1\t"));
        assertThat(rows.stream().filter(r -> r.split("\t", -1)[2].equals("1")).count())
                .isEqualTo(p.a.tcp.resent());
    }
}
