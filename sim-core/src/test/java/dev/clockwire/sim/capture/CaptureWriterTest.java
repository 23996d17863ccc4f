package dev.clockwire.sim.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.capture.Captures.Read;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureWriterTest {
    private static final byte[] FRAME = HexFormat.of().parseHex("00112233445566778899aabbccddeeff0800");

    @TempDir
    Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void pcapngComesBackAsWritten() throws IOException {
        Path file = folder.resolve("capture.pcapng");
        try (PcapngWriter writer = PcapngWriter.create(file, "clockwire", "perftest write-lat -s 64")) {
            assertThat(writer.addInterface("host0")).isZero();
            writer.write(0, 1_234_567_999L, FRAME, 2, 5, 5);
            assertThat(writer.addInterface("")).isEqualTo(1);
            writer.write(1, 9_000_000_000_000_000_000L, FRAME, 0, FRAME.length, 4_000);
            writer.write(0, 0, FRAME, 0, 0, 70);
            writer.commit();
        }
        assertThat(Captures.read(file))
                .containsExactly(
                        new Read(1, 1_234_567, 1, "2233445566", 5),
                        new Read(2, 9_000_000_000_000_000L, 1, HexFormat.of().formatHex(FRAME), 4_000),
                        new Read(3, 0, 1, "", 70));
        assertThat(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1))
                .contains("clockwire", "perftest write-lat -s 64", "host0");
        assertThat(names()).containsExactly("capture.pcapng");
    }

    @Test
    void classicComesBackAsWritten() {
        Path file = folder.resolve("capture.pcap");
        try (PcapWriter writer = PcapWriter.create(file)) {
            writer.write(5_000_000_000_001_999L, FRAME, 0, 3, 300);
            writer.commit();
        }
        assertThat(Captures.read(file)).containsExactly(new Read(1, 5_000_000_000_001L, 1, "001122", 300));
    }

    @Test
    void framesLongerThanTheBuffer() {
        Path file = folder.resolve("long.pcapng");
        byte[] frame = new byte[150_001];
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (byte) (i * 7);
        }
        try (PcapngWriter writer = PcapngWriter.create(file, "", "")) {
            writer.addInterface("a");
            for (int i = 0; i < 20; i++) {
                writer.write(0, i * 1000L, frame, i, frame.length - i, frame.length);
            }
            writer.commit();
        }
        List<Read> records = Captures.read(file);
        assertThat(records).hasSize(20);
        assertThat(records.get(19).bytes()).isEqualTo(HexFormat.of().formatHex(frame, 19, frame.length));
        assertThat(records.get(19).originalLength()).isEqualTo(frame.length);
    }

    @Test
    void withoutCommitNothingIsLeft() throws IOException {
        try (PcapngWriter writer = PcapngWriter.create(folder.resolve("never.pcapng"), "clockwire", "")) {
            writer.addInterface("a");
            assertThat(names()).containsExactly(".never.pcapng.partial");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void aCommitReplacesAnOlderFile() throws IOException {
        Path file = folder.resolve("again.pcap");
        Files.writeString(file, "older");
        try (PcapWriter writer = PcapWriter.create(file)) {
            assertThat(Files.readString(file)).isEqualTo("older");
            writer.commit();
        }
        assertThat(Captures.read(file)).isEmpty();
        assertThat(names()).containsExactly("again.pcap");
    }

    @Test
    void whereNothingCanBeWrittenIsNamed() {
        Path file = folder.resolve("missing").resolve("x.pcap");
        assertThatThrownBy(() -> PcapWriter.create(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("x.pcap: cannot be written");
    }

    @Test
    void anUnknownInterfaceIsABug() {
        try (PcapngWriter writer = PcapngWriter.create(folder.resolve("x.pcapng"), "", "")) {
            assertThatThrownBy(() -> writer.write(0, 0, FRAME, 0, 1, 1)).isInstanceOf(InvariantViolation.class);
        }
    }

    @Test
    void equalRecordsLeaveEqualFiles() throws IOException {
        for (String name : List.of("one", "two")) {
            try (PcapngWriter writer = PcapngWriter.create(folder.resolve(name), "clockwire", "same")) {
                writer.write(writer.addInterface("p"), 77_000, FRAME, 0, 9, 9);
                writer.commit();
            }
        }
        assertThat(folder.resolve("one")).hasSameBinaryContentAs(folder.resolve("two"));
    }
}
