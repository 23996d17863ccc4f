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
