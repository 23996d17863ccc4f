package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The registered commands, from the outside. */
class RealCommandsTest {
    /** A little-endian pcap without a frame: magic, version 2.4, zone, accuracy, longest frame, Ethernet. */
    private static final byte[] EMPTY_PCAP = {
        (byte) 0xD4, (byte) 0xC3, (byte) 0xB2, (byte) 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0
    };

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder = Path.of("");

    private int run(String... args) {
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private String stdout() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "frobnicate, 2",
        "bench pipelin, 2",
        "bench pipeline -n 0, 2",
        "bench pipeline --loop fast, 2",
        "pcap, 2",
        "pcap decode, 2",
        "pcap decode --jsn x, 2",
        "pcap decode /nonexistent/x.pcap, 3",
        "pcap decode /, 3"
    })
    void mistakesGiveOneLineAndNothingOnStandardOutput(String line, int code) {
        assertThat(run(line.split(" "))).isEqualTo(code);
        assertThat(stdout()).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("clockwire: ")
                .hasLineCount(1);
    }

    /** Tokens and checksum after 100,000 cycles are those that every other simulator of the workload gives. */
    @ParameterizedTest
    @CsvSource({
        "pipeline, plain, 74994 5670d017ce277525",
        "pipeline, specialised, 74994 5670d017ce277525",
        "pipeline-idle, plain, 1008 fe74468ea24085ef"
    })
    void benchPrintsTheLineOfTheYardstick(String workload, String loop, String tail) {
        assertThat(run("bench", workload, "-n", "100000", "--loop", loop)).isZero();
        assertThat(stdout()).matches("clockwire " + workload + " \\d+ \\S+ " + tail + "\n");
    }

    @Test
    void anEmptyCaptureHasNoFrames() throws IOException {
        Path file = Files.write(folder.resolve("empty.pcap"), EMPTY_PCAP);
        assertThat(run("pcap", "decode", file.toString(), "--json")).isZero();
        JsonNode document = new ObjectMapper().readTree(stdout());
        assertThat(document.get("schema").asText()).isEqualTo("clockwire.pcap-decode/1");
        assertThat(document.get("file").asText()).isEqualTo(file.toString());
        assertThat(document.get("frames").asInt()).isZero();
        assertThat(document.get("packets")).isEmpty();
    }

    @Test
    void severalCapturesAreStillOneDocument() throws IOException {
        String file = Files.write(folder.resolve("empty.pcap"), EMPTY_PCAP).toString();
        assertThat(run("pcap", "decode", file, file, "--json")).isZero();
        assertThat(new ObjectMapper().readTree(stdout()).get("captures")).hasSize(2);
    }

    @Test
    void oneBadFileAmongGoodOnesLeavesStandardOutputEmpty() throws IOException {
        String good = Files.write(folder.resolve("good.pcap"), EMPTY_PCAP).toString();
        String bad =
                Files.write(folder.resolve("bad.pcap"), new byte[] {1, 2, 3, 4}).toString();
        assertThat(run("pcap", "decode", good, bad)).isEqualTo(3);
        assertThat(stdout()).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("bad.pcap").contains("offset 0");
    }
}
