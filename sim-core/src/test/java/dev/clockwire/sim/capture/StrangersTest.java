package dev.clockwire.sim.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Wireshark's tools say about files that we write. */
class StrangersTest {
    private static final byte[] ARP = HexFormat.of()
            .parseHex("ffffffffffff0200000000010806000108000604000102000000000"
                    + "10a0000010000000000000a000002000000000000000000000000000000000000");

    @TempDir
    Path folder;

    /** Output of a tool; the test is skipped where the tool is missing, but not in continuous integration. */
    private static String run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(new ArrayList<>(List.of(command)))
                    .redirectErrorStream(true)
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

    private Path pcapng() {
        Path file = folder.resolve("judged.pcapng");
        try (PcapngWriter writer = PcapngWriter.create(file, "clockwire", "perftest write-lat --seed 7")) {
            writer.addInterface("host0");
            writer.write(0, 1_500_000_123_999L, ARP, 0, 60, 60);
            writer.addInterface("host1");
            writer.write(1, 1_500_000_125_000L, ARP, 0, 42, 60);
            writer.commit();
        }
        return file;
    }

    @Test
    void tsharkReadsTimesLengthsAndInterfaces() throws Exception {
        String output = run(
                "tshark",
                "-r",
                pcapng().toString(),
                "-T",
                "fields",
                "-e",
                "frame.time_epoch",
                "-e",
                "frame.len",
                "-e",
                "frame.cap_len",
                "-e",
                "frame.interface_name",
                "-e",
                "_ws.malformed");
        assertThat(output.lines().filter(line -> line.contains("host")).map(String::strip))
                .containsExactly("1.500000123\t60\t60\thost0", "1.500000125\t60\t42\thost1");
    }

    @Test
    void capinfosShowsTheCommand() throws Exception {
        String output = run("capinfos", pcapng().toString());
        assertThat(output)
                .contains("perftest write-lat --seed 7", "clockwire", "nanoseconds", "Name = host0", "Name = host1")
                .containsPattern("Number of packets: +2");
    }

    @Test
    void capinfosReadsTheClassicFile() throws Exception {
        Path file = folder.resolve("judged.pcap");
        try (PcapWriter writer = PcapWriter.create(file)) {
            writer.write(2_000_000_001_000L, ARP, 0, 60, 60);
            writer.commit();
        }
        assertThat(run("capinfos", file.toString())).contains("nanosecond").containsPattern("Number of packets: +1");
    }
}
