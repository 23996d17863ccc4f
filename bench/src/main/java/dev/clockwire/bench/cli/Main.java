package dev.clockwire.bench.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Entry point of {@code ./clockwire}. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        Interrupt interrupt = Interrupt.install();
        int code;
        try {
            code = run(utf8(FileDescriptor.out), utf8(FileDescriptor.err), args);
        } finally {
            interrupt.finished();
        }
        System.exit(code);
    }

    /** The streams of the process in UTF-8, whatever the locale says: output is the same everywhere. */
    private static PrintStream utf8(FileDescriptor stream) {
        return new PrintStream(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
    }

    /**
     * Runs one command in this process.
     *
     * @return the exit code; see {@link ExitCode}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        Console console = new Console(out, err);
        return run(ClockwireCommand.parser(console), console, args);
    }

    /** Runs one command of a parser that has been built over the console. */
    static int run(CommandLine parser, Console console, String... args) {
        parser.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        parser.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        parser.setParameterExceptionHandler((e, line) -> ErrorReport.usage(console, e));
        parser.setExecutionExceptionHandler((e, command, result) -> ErrorReport.failed(console, e));
        int code = parser.execute(args);
        if (code == ExitCode.OK || code == ExitCode.CHECK_FAILED || code == ExitCode.INTERRUPTED) {
            try {
                console.flush();
            } catch (RuntimeException e) {
                return ErrorReport.failed(console, e);
            }
        }
        return code;
    }
}
