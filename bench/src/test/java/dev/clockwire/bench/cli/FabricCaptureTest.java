package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.capture.CaptureReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fabric run --capture}: what strangers read of pauses, notifications and data. */
class FabricCaptureTest {
    private static final String STAR = """
            topology: {kind: star, hosts: 4, gbps: 100, delay_us: 1}
            switches: {buffer: {mib: 1}, ecn: {kmin_kb: 20, kmax_kb: 200, pmax: 0.5}}
            hosts: {payload: 1024, dcqcn: nvidia}
            flows:
              - incast: {from: 3, to: host3, bytes: 400000}
            until_ms: 20
            """;

    @TempDir
    private Path folder;

    private Path yaml() throws IOException {
        return Files.writeString(folder.resolve("f.yaml"), STAR);
    }

    @Test
    void nicsLeaveDataPausesAndNotifications() throws IOException {
        Path file = folder.resolve("c.pcapng");
        JsonNode json = clockwire(
                        "fabric", "run", yaml().toString(), "--endpoints", "hw", "--json", "--capture", file.toString())
                .json();
        int pauses = 0;
        int others = 0;
        long last = 0;
        PauseFrame pause = new PauseFrame();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                boolean is = pause.decode(reader.data(), reader.dataOffset(), reader.length());
                pauses += is && pause.of(3) > 0 ? 1 : 0;
                others += is ? 0 : 1;
                assertThat(reader.ns()).isGreaterThanOrEqualTo(last);
                last = reader.ns();
            }
        }
        assertThat(pauses).isGreaterThanOrEqualTo(json.get("pauses").asInt()).isPositive();
        // each packet on the sender's cable and on the receiver's
        assertThat(others).isGreaterThan(2 * json.get("data_packets").asInt());
    }

    @Test
    void equalRunsLeaveEqualFilesAndAnErrorNone() throws IOException {
        List<byte[]> files = new ArrayList<>();
        for (String name : List.of("a.pcapng", "b.pcapng")) {
            Path file = folder.resolve(name);
            clockwire("fabric", "run", yaml().toString(), "--endpoints", "hw", "--capture", file.toString());
            files.add(Files.readAllBytes(file));
        }
        assertThat(files.get(0)).isEqualTo(files.get(1));
        Path none = folder.resolve("no/c.pcapng");
        clockwire("fabric", "run", yaml().toString(), "--capture", none.toString())
                .failsWith(3, "--capture", "there is no such directory");
        Path kept = folder.resolve("kept.pcapng");
        clockwire("fabric", "run", yaml().toString(), "--threads", "2", "--capture", kept.toString())
                .failsWith(2, "--capture takes one thread, not 2");
        assertThat(Files.exists(kept)).isFalse();
    }

    @Test
    void tsharkFindsPausesAndNotificationsAndNothingMalformed() throws Exception {
        Path file = folder.resolve("t.pcapng");
        clockwire("fabric", "run", yaml().toString(), "--endpoints", "hw", "--capture", file.toString());
        assertThat(count(file, "macc.opcode == 0x0101")).isPositive();
        assertThat(count(file, "infiniband.bth.opcode == 0x81")).isPositive();
        assertThat(count(file, "_ws.malformed")).isZero();
    }

    /** Each of the four cables carries the words of both its ends, of light hosts and of NICs. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "hw"})
    void tsharkReadsTheExchangeOfSettings(String kind) throws Exception {
        Path file = folder.resolve("l.pcapng");
        Path yaml = Files.writeString(folder.resolve("g.yaml"), STAR + "dcbx: on\n");
        clockwire("fabric", "run", yaml.toString(), "--endpoints", kind, "--capture", file.toString());
        String lldp = "eth.type == 0x88cc && eth.dst == 01:80:c2:00:00:0e";
        assertThat(count(file, lldp))
                .as("the first, and one to a new neighbour")
                .isEqualTo(4 * 2 * 2);
        assertThat(count(file, lldp + " && lldp.port.id contains \"switch\" && lldp.dcbx.feature.pfc.prio3 == 1"))
                .isEqualTo(8);
        assertThat(count(file, lldp + " && lldp.dcbx.ieee.willing == 1 && lldp.dcbx.ieee.app.prio == 3"))
                .isEqualTo(8);
        assertThat(count(file, "_ws.malformed")).isZero();
    }

    private int count(Path file, String filter) throws IOException, InterruptedException {
        Path out = folder.resolve("tshark.txt");
        Process tshark;
        try {
            tshark = new ProcessBuilder(
                            "tshark", "-r", file.toString(), "-Y", filter, "-T", "fields", "-e", "frame.number")
                    .redirectOutput(out.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            Assumptions.assumeTrue(
                    "true".equals(System.getenv("CI")), "tshark is not installed: what it would say is not tested");
            throw new AssertionError("tshark must be installed when CI=true", e);
        }
        assertThat(tshark.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readAllLines(out).size();
    }
}
