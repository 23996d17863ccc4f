package dev.clockwire.bench.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.clockwire.sim.error.InvariantViolation;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * What a command prints. Nothing reaches standard output before the command has ended well, so an error leaves it
 * empty; with {@code --json} it is exactly one document.
 */
public final class Console {
    private final PrintStream out;
    private final PrintStream err;
    private final StringBuilder text = new StringBuilder();
    private @Nullable JsonDocument document;

    /** Creates a console over the two streams of the process (or of a test). */
    public Console(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Adds a line to the text of this command. */
    public void line(String line) {
        text.append(line).append('\n');
    }

    /** Makes this the one document that the command prints; text lines are then a mistake of the command. */
    public void json(JsonDocument body) {
        document = body;
    }

    /** Prints a remark for people on standard error, at once. */
    public void note(String line) {
        err.println("clockwire: " + line);
    }

    /** Like {@link #note}, how far a long run is: for who waits for this process, not for who keeps what one command of many prints. */
    public void progress(String line) {
        if (err instanceof StandardStream) {
            note(line);
        }
    }

    /** Prints at once and past the buffer: only for commands that live as long as their peer does. */
    public void now(String line) {
        out.println(line);
        out.flush();
    }

    /** Writes out what the command has left. */
    void flush() {
        JsonDocument body = document;
        if (body != null) {
            if (text.length() > 0) {
                throw new InvariantViolation("a command printed text beside its JSON document");
            }
            try {
                body.writeTo(out);
            } catch (JsonProcessingException e) {
                throw new InvariantViolation("the JSON document cannot be written: " + e.getOriginalMessage());
            }
        }
        out.print(text);
        out.flush();
    }

    /**
     * Tells whether what was printed has got out. A reader that has gone away, as {@code head} does, has had enough: no error.
     *
     * @throws CliException with exit code 3 otherwise
     */
    void checkWritten() {
        if (out.checkError() && out instanceof StandardStream stream && !stream.readerHasGone()) {
            throw CliException.input("standard output cannot be written: " + stream.reason());
        }
    }

    /** Forgets what the command has left: it failed. */
    void discard() {
        text.setLength(0);
        document = null;
    }

    /** Whether a person sees standard error as it is written. */
    boolean onTerminal() {
        return err instanceof StandardStream && StandardStream.errorIsTerminal();
    }

    PrintStream err() {
        return err;
    }

    PrintStream out() {
        return out;
    }
}
