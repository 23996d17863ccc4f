package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardStreamTest {
    private final StandardStream err = StandardStream.of(new ByteArrayOutputStream());

    private static StandardStream failing(String reason) {
        return StandardStream.of(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(reason);
            }
        });
    }

    private void print(StandardStream out) {
        Console console = new Console(out, err);
        console.line("a line");
        console.flush();
        console.checkWritten();
    }

    @Test
    void linesArriveInUtf8() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StandardStream out = StandardStream.of(bytes);
        Console console = new Console(out, err);
        console.line("█");
        console.flush();
        console.checkWritten();
        assertThat(bytes.toByteArray()).isEqualTo("█\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void outputThatGetsLostIsAnError() {
        assertThatThrownBy(() -> print(failing("No space left on device")))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.INPUT))
                .hasMessageContaining("No space left on device");
    }

    @Test
    void aReaderThatHasHadEnoughIsNone() {
        print(failing("Broken pipe"));
    }

    /** Linux says it; elsewhere the console does, unless errors go to a file. */
    @Test
    void aTerminalIsToldFromAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("log"), "");
        Path pty = Files.createSymbolicLink(folder.resolve("pty"), Path.of("/dev/pts/7"));
        Path log = Files.createSymbolicLink(folder.resolve("to-log"), file);
        Path none = folder.resolve("none");
        assertThat(StandardStream.errorIsTerminal(pty, none, false)).isTrue();
        assertThat(StandardStream.errorIsTerminal(log, none, true)).isFalse();
        assertThat(StandardStream.errorIsTerminal(none, none, true)).isTrue();
        assertThat(StandardStream.errorIsTerminal(none, none, false)).isFalse();
        assertThat(StandardStream.errorIsTerminal(none, file, true)).isFalse();
    }
}
