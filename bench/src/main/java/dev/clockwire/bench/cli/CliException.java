package dev.clockwire.bench.cli;

import dev.clockwire.sim.error.Nearest;
import java.util.Collection;

/** A user's mistake found by the command line itself: one line of text and the exit code that goes with it. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private CliException(int exitCode, String text) {
        super(text);
        this.exitCode = exitCode;
    }

    /** An unknown or unparsable command, tool or option, or an option value outside its range: exit code 2. */
    public static CliException usage(String text) {
        return new CliException(ExitCode.USAGE, text);
    }

    /** An unusable file, an unknown profile, override path or override value: exit code 3. */
    public static CliException input(String text) {
        return new CliException(ExitCode.INPUT, text);
    }

    /** An unknown command, tool or option, with the nearest valid one: exit code 2. */
    public static CliException unknown(String kind, String given, Collection<String> valid) {
        return usage(unknownText(kind, given, valid));
    }

    /** An unknown profile, path or other name inside the input, with the nearest valid one: exit code 3. */
    public static CliException unknownInput(String kind, String given, Collection<String> valid) {
        return input(unknownText(kind, given, valid));
    }

    static String unknownText(String kind, String given, Collection<String> valid) {
        return "unknown " + kind + " '" + given + "'" + Nearest.hint(given, valid);
    }

    /** Returns the exit code of the process. */
    public int exitCode() {
        return exitCode;
    }
}
