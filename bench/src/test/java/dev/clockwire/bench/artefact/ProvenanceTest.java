package dev.clockwire.bench.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.cli.Main;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.capture.CaptureReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every file of a run says what made it; the profile's hash is that of its values, however they were given. */
class ProvenanceTest {
    @TempDir
    private Path folder = Path.of("");

    private int runs;

    private Path run(String... more) {
        Path out = folder.resolve("run" + runs++);
        List<String> command = new ArrayList<>(List.of("perftest", "write-lat", "-n", "20", "--out", out.toString()));
        command.addAll(List.of(more));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(Main.run(nowhere, nowhere, command.toArray(String[]::new))).isZero();
        return out;
    }

    private static JsonNode stats(Path out) throws IOException {
        return new ObjectMapper().readTree(out.resolve(RunFiles.STATS).toFile());
    }

    private static String hash(Path out) throws IOException {
        return stats(out).get("profile_hash").asText();
    }

    @Test
    void theSameValuesHaveTheSameHash() throws IOException {
        Path file = Files.writeString(
                folder.resolve("mine.yaml"),
                "base: cx7-400g\ntitle: mine\nhost: {queue_read_ns: 150.0}\npcie: {lanes: 8}\n");
        String typed = hash(run("-P", "host.queue_read_ns=150", "-P", "pcie.lanes=8"));
        assertThat(hash(run("--profile", file.toString()))).isEqualTo(typed);
        assertThat(hash(run("-P", "pcie.lanes=8", "-P", "host.queue_read_ns=1", "-P", "host.queue_read_ns=15e1")))
                .isEqualTo(typed);
        String builtIn = hash(run());
        assertThat(builtIn)
                .isEqualTo(Profiles.named("cx7-400g").hash())
                .matches("[0-9a-f]{16}")
                .isNotEqualTo(typed);
        assertThat(hash(run("--profile", "cx6-200g"))).isNotEqualTo(builtIn);
    }

    @Test
    void whatWasLaidOverTheProfileIsToldAndNothingElse() throws IOException {
        String own = Profiles.named("cx7-400g").text("host.queue_read_ns");
        Path file = Files.writeString(
                folder.resolve("mine.yaml"),
                "base: cx7-400g\nhost:\n  queue_read_ns: " + own + "\n  numa: {nodes: 4}\n");
        JsonNode stats = stats(run("--profile", file.toString(), "-P", "pcie.lanes=8", "-m", "1024"));
        assertThat(stats.get("overrides"))
                .extracting(row -> row.get("path").asText() + " "
                        + row.get("value").asText() + " for " + row.get("own").asText() + " from "
                        + row.get("source").asText())
                .containsExactly(
                        "host.numa.nodes 4 for 2 from mine.yaml:4:17",
                        "link.mtu 1024 for 4096 from -m",
                        "pcie.lanes 8 for 16 from override");
    }

    @Test
    void filesThatHaveRoomSayItInOneLine() throws IOException {
        Path out = run("--seed", "7", "--waves", "host0.nic");
        JsonNode commit = stats(out).get("git"); // only a build from a repository knows it
        String built = commit == null ? "" : " (" + commit.asText() + ")";
        String line = "Clockwire " + stats(out).get("version").asText() + built + ", profile cx7-400g "
                + Profiles.named("cx7-400g").hash() + ", seed 7: "
                + stats(out).get("command").asText();
        assertThat(Files.readString(out.resolve(RunFiles.LATENCY))).endsWith("#[" + line + "]\n");
        assertThat(Files.readAllBytes(out.resolve(RunFiles.CAPTURE)))
                .containsSequence(line.getBytes(StandardCharsets.UTF_8));
        try (CaptureReader reader = CaptureReader.open(out.resolve(RunFiles.CAPTURE))) {
            assertThat(reader.next()).isTrue();
        }
        assertThat(Files.readString(out.resolve(RunFiles.WAVES))).startsWith("$comment " + line + " $end\n$");
        assertThat(Files.readAllBytes(out.resolve(RunFiles.TIMELINE)))
                .containsSequence(line.getBytes(StandardCharsets.UTF_8));
        JsonNode operations =
                new ObjectMapper().readTree(out.resolve(RunFiles.OPERATIONS).toFile());
        assertThat(operations.get("profile_hash")).isEqualTo(stats(out).get("profile_hash"));
        assertThat(operations.get("seed").asLong()).isEqualTo(7);
    }
}
