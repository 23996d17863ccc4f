package dev.clockwire.bench.cli;

import dev.clockwire.bench.yaml.ConfigurationMistakes;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.error.SimException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever went wrong into one line on standard error and an exit code. */
final class ErrorReport {
    /** Set this in the environment to see stack traces. */
    private static final String TRACE = "CLOCKWIRE_STACKTRACE";

    /** More mistakes than this nobody repairs before the next run. */
    private static final int MOST_LINES = 50;

    private ErrorReport() {}

    /** A command line that cannot be understood. */
    static int usage(Console console, ParameterException e) {
        Throwable cause = e.getCause();
        if (cause instanceof CliException || cause instanceof SimException) {
            return failed(console, (Exception) cause);
        }
        return say(console, ExitCode.USAGE, usageText(e), e);
    }

    /** Returns what {@link #usage} says, on one line. */
    static String told(ParameterException e) {
        boolean own = e.getCause() instanceof CliException || e.getCause() instanceof SimException;
        String text = own ? String.valueOf(Objects.requireNonNull(e.getCause()).getMessage()) : usageText(e);
        return text.replace('\n', ' ');
    }

    /** A command that gave up. */
    static int failed(Console console, Exception e) {
        if (e instanceof CliException mistake) {
            return say(console, mistake.exitCode(), text(e), e);
        }
        if (e instanceof ConfigurationMistakes) {
            console.discard();
            text(e).lines().limit(MOST_LINES).forEach(console::note);
            return ExitCode.INPUT;
        }
        if (e instanceof ConfigurationException) {
            return say(console, ExitCode.INPUT, text(e), e);
        }
        if (e instanceof FileSystemException file) {
            return say(console, ExitCode.INPUT, fileText(file), e);
        }
        if (e instanceof java.io.IOException) {
            return say(console, ExitCode.INPUT, text(e), e);
        }
        if (e instanceof SimException) {
            return say(console, ExitCode.INVARIANT, text(e), e);
        }
        String hint = "; this is a bug in Clockwire, please report it (" + TRACE + "=1 shows where)";
        return say(console, ExitCode.INVARIANT, e.getClass().getSimpleName() + ": " + text(e) + hint, e);
    }

    /** The run needs more memory than there is; what held it is garbage by now. */
    static int outOfMemory(Console console) {
        long megabytes = Runtime.getRuntime().maxMemory() >> 20;
        String text = "out of memory, the JVM has " + megabytes
                + " MB: take fewer or smaller messages or --payload sizes, or set CLOCKWIRE_JAVA_OPTS=-Xmx8g";
        return say(console, ExitCode.INPUT, text, new IllegalStateException(text));
    }

    private static int say(Console console, int code, String text, Exception e) {
        console.discard();
        console.note(text.replace('\n', ' '));
        if ("1".equals(System.getenv(TRACE))) {
            e.printStackTrace(console.err());
        }
        return code;
    }

    private static String usageText(ParameterException e) {
        CommandLine command = e.getCommandLine();
        String where = command.getCommandSpec().qualifiedName();
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().get(0);
            Map<String, CommandLine> commands = command.getSubcommands();
            if (word.startsWith("-") && word.length() > 1) {
                String option = word.replaceFirst("=.*", "");
                String real = real(command.getCommand(), option);
                if (!real.isEmpty()) {
                    return real;
                }
                var valid = command.getCommandSpec().optionsMap().keySet();
                String hint = Nearest.hint(option, valid);
                return "unknown option '" + option + "' of '" + where + "'"
                        + (hint.isEmpty() ? "; '" + where + " --help' lists them" : hint);
            }
            if (!commands.isEmpty()) {
                return CliException.unknownText("command", word, commands.keySet());
            }
            return "unexpected argument '" + word + "' after '" + where + "'";
        }
        return lowerFirst(text(e)) + " ('" + where + " --help' shows the usage)";
    }

    /** What to say about an option that the real tool has and this one has not, empty if there is none. */
    private static String real(Object command, String option) {
        return command instanceof PerftestCommand
                ? OtherOptions.why(option)
                : command instanceof NvmfPerfCommand ? OtherPerfOptions.why(option) : "";
    }

    private static String fileText(FileSystemException e) {
        String file = String.valueOf(e.getFile());
        if (e instanceof NoSuchFileException) {
            return "no such file: " + file;
        }
        if (e instanceof AccessDeniedException) {
            return "no permission: " + file;
        }
        if (e instanceof FileAlreadyExistsException) {
            return "exists already: " + file;
        }
        if (e instanceof NotDirectoryException) {
            return file + ": is a file, expected a directory";
        }
        String reason = e.getReason();
        return file + ": " + (reason == null ? "cannot be used" : reason);
    }

    private static String text(Exception e) {
        @Nullable String text = e.getMessage();
        return text == null ? e.getClass().getSimpleName() : text;
    }

    private static String lowerFirst(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }
}
