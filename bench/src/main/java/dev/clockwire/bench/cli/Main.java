package dev.clockwire.bench.cli;

import java.io.FileDescriptor;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;

/** Entry point of {@code ./clockwire}. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(listening(console -> ClockwireCommand.parser(console, List.of(args)), args));
    }

    /** Runs a command that is none of {@code clockwire}'s as this process does: on its streams, heeding Ctrl-C. Returns the exit code. */
    public static int process(Function<Console, ClockwireTask> command, String[] args) {
        return listening(console -> ClockwireCommand.alone(command.apply(console)), args);
    }

    private static int listening(Function<Console, CommandLine> parser, String[] args) {
        Interrupt interrupt = Interrupt.install();
        Console console = new Console(StandardStream.of(FileDescriptor.out), StandardStream.of(FileDescriptor.err));
        try {
            return run(parser.apply(console), console, args);
        } finally {
            interrupt.finished();
        }
    }

    /**
     * Runs one command in this process.
     *
     * @return the exit code; see {@link ExitCode}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        Console console = new Console(out, err);
        return run(ClockwireCommand.parser(console, List.of(args)), console, args);
    }

    /** Runs a command that is none of {@code clockwire}'s in this process; returns the exit code. */
    public static int run(PrintStream out, PrintStream err, Function<Console, ClockwireTask> command, String... args) {
        Console console = new Console(out, err);
        return run(ClockwireCommand.alone(command.apply(console)), console, args);
    }

    /** Runs one command of a parser that has been built over the console. */
    static int run(CommandLine parser, Console console, String... args) {
        parser.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        parser.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        parser.setParameterExceptionHandler((e, line) -> ErrorReport.usage(console, e));
        parser.setExecutionExceptionHandler((e, command, result) -> ErrorReport.failed(console, e));
        int code;
        try {
            code = parser.execute(args);
        } catch (OutOfMemoryError e) {
            return ErrorReport.outOfMemory(console);
        } catch (StackOverflowError | AssertionError | LinkageError e) {
            return ErrorReport.failed(console, new IllegalStateException(e));
        }
        if (code == ExitCode.OK || code == ExitCode.CHECK_FAILED || code == ExitCode.INTERRUPTED) {
            try {
                console.flush();
                console.checkWritten();
            } catch (RuntimeException e) {
                return ErrorReport.failed(console, e);
            }
        }
        return code;
    }
}
