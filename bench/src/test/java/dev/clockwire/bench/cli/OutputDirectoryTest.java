package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputDirectoryTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void keptFilesArriveAndNothingElseRemains() throws IOException {
        Path target = folder.resolve("a/b");
        try (OutputDirectory output = OutputDirectory.at(target)) {
            Files.writeString(output.file("stats.json"), "new");
            output.keep();
        }
        assertThat(target.resolve("stats.json")).hasContent("new");
        assertThat(folder).isDirectoryNotContaining("glob:**/.clockwire-*");
    }

    @Test
    void filesOfAnEarlierRunAreReplacedAndOthersStay() throws IOException {
        Files.writeString(folder.resolve("stats.json"), "old");
        Files.writeString(folder.resolve("mine.txt"), "mine");
        try (OutputDirectory output = OutputDirectory.at(folder)) {
            Files.writeString(output.file("stats.json"), "new");
            output.keep();
        }
        assertThat(folder.resolve("stats.json")).hasContent("new");
        assertThat(folder.resolve("mine.txt")).hasContent("mine");
    }

    /** What a run with --waves has left beside its statistics would be taken for that of the run after it. */
    @Test
    void filesThatOnlyAnEarlierRunWroteAreGone() throws IOException {
        Files.writeString(folder.resolve("stats.json"), "{\n  \"schema\": \"clockwire.stats/1\",\n  \"seed\": 1\n}");
        for (String old : new String[] {"waves.vcd", "latency.hgrm", "timeline.perfetto-trace", "capture.pcapng"}) {
            Files.writeString(folder.resolve(old), "old");
        }
        Files.writeString(folder.resolve("mine.vcd"), "mine");
        try (OutputDirectory output = OutputDirectory.at(folder)) {
            Files.writeString(output.file("capture.pcapng"), "new");
            output.keep();
        }
        assertThat(folder.resolve("capture.pcapng")).hasContent("new");
        try (var files = Files.list(folder)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("capture.pcapng", "mine.vcd");
        }
    }

    @Test
    void aRunThatFailsLeavesTheEarlierOneAlone() throws IOException {
        Files.writeString(folder.resolve("stats.json"), "{\"schema\":\"clockwire.stats/1\"}");
        Files.writeString(folder.resolve("waves.vcd"), "old");
        try (OutputDirectory output = OutputDirectory.at(folder)) {
            Files.writeString(output.file("stats.json"), "half");
        }
        assertThat(folder.resolve("waves.vcd")).hasContent("old");
    }

    /** Simulators of others call their waves so too. */
    @Test
    void wavesThatNoRunHasLeftStay() throws IOException {
        Files.writeString(folder.resolve("waves.vcd"), "mine");
        Files.writeString(folder.resolve("stats.json"), "{\"mine\":1}");
        try (OutputDirectory output = OutputDirectory.at(folder)) {
            Files.writeString(output.file("capture.pcapng"), "new");
            output.keep();
        }
        assertThat(folder.resolve("waves.vcd")).hasContent("mine");
        assertThat(folder.resolve("stats.json")).hasContent("{\"mine\":1}");
    }

    @Test
    void whatIsNotKeptIsGone() throws IOException {
        Path target = folder.resolve("out");
        try (OutputDirectory output = OutputDirectory.at(target)) {
            Files.writeString(output.file("stats.json"), "new");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anInterruptedRunIsMarked() throws IOException {
        Path target = folder.resolve("out");
        try (OutputDirectory output = OutputDirectory.at(target)) {
            Files.writeString(output.file("stats.json"), "half");
            output.keepInterrupted();
        }
        assertThat(target.resolve("stats.json")).hasContent("half");
        assertThat(target.resolve(OutputDirectory.INTERRUPTED)).exists();
    }

    @Test
    void aCompleteRunTakesTheMarkAway() throws IOException {
        Files.writeString(folder.resolve(OutputDirectory.INTERRUPTED), "earlier");
        try (OutputDirectory output = OutputDirectory.at(folder)) {
            Files.writeString(output.file("stats.json"), "whole");
            output.keep();
        }
        assertThat(folder.resolve(OutputDirectory.INTERRUPTED)).doesNotExist();
    }

    @Test
    void abandonedRunsLeaveNothing() throws IOException {
        OutputDirectory output = OutputDirectory.at(folder.resolve("out"));
        Files.writeString(output.file("stats.json"), "half");
        OutputDirectory.abandonAll();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFileInTheWayIsTheUsersMistake() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        for (Path target : new Path[] {file, file.resolve("below")}) {
            assertThatThrownBy(() -> OutputDirectory.at(target))
                    .isInstanceOfSatisfying(
                            CliException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.INPUT))
                    .hasMessageContaining("file");
        }
        assertThat(file).isEmptyFile();
    }
}
