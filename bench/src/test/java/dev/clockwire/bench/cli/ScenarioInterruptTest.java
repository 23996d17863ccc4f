package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioInterruptTest {
    private static final String FIRST = "retry-exc-pfc-off";

    @TempDir
    private Path folder;

    /** In a process of its own, which the signal of Ctrl-C's kind ends: a minute of scenarios is not lost for the last one. */
    @Test
    void whatHasEndedIsKept() throws IOException, InterruptedException {
        Path printed = folder.resolve("printed");
        Path errors = folder.resolve("errors");
        Process run = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "scenario",
                        "run",
                        "--all",
                        "--json",
                        "--out",
                        folder.resolve("out").toString()))
                .redirectOutput(printed.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            for (int i = 0; i < 600 && !secondHasBegun(); i++) {
                Thread.sleep(50);
            }
            run.destroy();
            assertThat(run.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            run.destroyForcibly();
        }
        assertThat(folder.resolve("out/" + OutputDirectory.INTERRUPTED)).exists();
        JsonNode document = new ObjectMapper().readTree(printed.toFile());
        assertThat(document.get("interrupted").asBoolean()).isTrue();
        assertThat(document.get("scenarios").get(0).get("name").asText()).isEqualTo(FIRST);
        assertThat(Files.readString(errors))
                .contains("clockwire: interrupted: " + document.get("scenarios").size() + " of ");
    }

    private boolean secondHasBegun() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(f -> String.valueOf(f.getFileName())).anyMatch(f -> f.contains("mtu-mismatch"));
        }
    }
}
