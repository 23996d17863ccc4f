package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs one command as the launcher does and keeps what it printed. */
final class CommandRunner {
    private final int code;
    private final String out;
    private final String err;

    private CommandRunner(int code, String out, String err) {
        this.code = code;
        this.out = out;
        this.err = err;
    }

    static CommandRunner clockwire(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(stream(out), stream(err), args);
        return new CommandRunner(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** Returns the text of a command that went well. */
    String text() {
        assertThat(err).isEmpty();
        assertThat(code).isZero();
        return out;
    }

    /** Returns the text of a command that went well and may have notes. */
    String output() {
        assertThat(code).isZero();
        return out;
    }

    /** Returns the notes on standard error of a command that went well. */
    String notes() {
        assertThat(code).isZero();
        return err;
    }

    /** Returns all that a command printed, however it ended. */
    String printed() {
        return out + err;
    }

    /** Returns the one document of a command that went well. */
    JsonNode json() {
        return json(0);
    }

    /** Returns the one document of a command that ended with this code. */
    JsonNode json(int expected) {
        assertThat(err).isEmpty();
        return document(expected);
    }

    /** Returns the one document of a command that went well and may have notes. */
    JsonNode document() {
        return document(0);
    }

    /** Returns the one document of a command that ended with this code and may have notes. */
    JsonNode document(int expected) {
        assertThat(code).isEqualTo(expected);
        try {
            return new ObjectMapper().readTree(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError(out, e);
        }
    }

    /** Returns the lines on standard error of a command that ended with this code and nothing on standard output. */
    List<String> mistakes(int expected) {
        assertThat(code).isEqualTo(expected);
        assertThat(out).isEmpty();
        return err.lines().toList();
    }

    /** Checks that the command failed as agreed: this exit code, nothing on standard output, one line with these words. */
    void failsWith(int expected, String... words) {
        assertThat(err).startsWith("clockwire: ").hasLineCount(1).contains(words);
        assertThat(code).isEqualTo(expected);
        assertThat(out).isEmpty();
    }
}
