package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

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
}
