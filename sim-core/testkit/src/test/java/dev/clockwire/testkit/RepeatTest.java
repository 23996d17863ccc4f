package dev.clockwire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project that a module is built with, from which the command that repeats a test is given. */
class RepeatTest {
    @TempDir
    private Path top;

    private Path pom(String folder, String modules) throws IOException {
        Path at = Files.createDirectories(top.resolve(folder));
        Files.writeString(at.resolve("pom.xml"), "<project>" + modules + "</project>");
        return at;
    }

    @Test
    void aProjectOfItsOwnIsItsOwnRoot() throws IOException {
        pom(".", "<module>other</module>");
        Path alone = pom("docs/consumer", "");
        assertThat(Repeat.root(alone)).isEqualTo(alone);
    }

    @Test
    void theOutermostProjectThatNamesAModuleIsItsRoot() throws IOException {
        pom(".", "<module>a</module>");
        pom("a", "<module>deep/b</module>");
        assertThat(Repeat.root(pom("a/deep/b", ""))).isEqualTo(top);
    }

    @Test
    void aModuleNeedsNoPomBetween() throws IOException {
        pom(".", "<module>sim-core</module><module>sim-core/testkit</module>");
        pom("sim-core", "");
        assertThat(Repeat.root(pom("sim-core/testkit", ""))).isEqualTo(top);
    }
}
