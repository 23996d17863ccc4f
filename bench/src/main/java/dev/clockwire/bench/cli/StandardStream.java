package dev.clockwire.bench.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A stream of the process in UTF-8, whatever the locale says. It remembers why it could not be written; a print stream does not. */
final class StandardStream extends PrintStream {
    private final Remembering to;

    private StandardStream(Remembering to) {
        super(new BufferedOutputStream(to), true, StandardCharsets.UTF_8);
        this.to = to;
    }

    /** Opens a stream of the process. */
    static StandardStream of(FileDescriptor descriptor) {
        return of(new FileOutputStream(descriptor));
    }

    static StandardStream of(OutputStream to) {
        return new StandardStream(new Remembering(to));
    }

    /** Whether standard error of the process is a terminal. Java itself knows of input and output only, so it asks the system where that tells. */
    static boolean errorIsTerminal() {
        return errorIsTerminal(Path.of("/proc/self/fd/2"), Path.of("/dev/fd/2"), hasConsole());
    }

    /**
     * Whether it is one.
     *
     * @param linux where Linux says what it is
     * @param unix what it is on other systems, if they have it: a file is no terminal
     * @param console whether input and output are one
     */
    static boolean errorIsTerminal(Path linux, Path unix, boolean console) {
        try {
            return Files.readSymbolicLink(linux).toString().matches("/dev/(pts/|tty|console).*");
        } catch (IOException | UnsupportedOperationException e) {
            return console && !Files.isRegularFile(unix);
        }
    }

    /** From Java 22 on there may be a console that is no terminal. */
    @SuppressWarnings("SystemConsoleNull") // asked below
    private static boolean hasConsole() {
        java.io.Console console = System.console();
        try {
            return console != null
                    && Boolean.TRUE.equals(
                            java.io.Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** Returns why the first write that failed did, empty if none has. */
    String reason() {
        return to.reason;
    }

    /** Whether the reader of a pipe closed it. */
    boolean readerHasGone() {
        return to.reason.contains("Broken pipe");
    }

    private static final class Remembering extends FilterOutputStream {
        private String reason = "";

        Remembering(OutputStream to) {
            super(to);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                if (reason.isEmpty()) {
                    reason = String.valueOf(e.getMessage());
                }
                throw e;
            }
        }
    }
}
