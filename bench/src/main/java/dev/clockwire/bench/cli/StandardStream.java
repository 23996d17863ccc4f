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

    /** Whether standard error of the process is a terminal; Java itself knows of input and output together only, so it asks Linux. */
    static boolean errorIsTerminal() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString().matches("/dev/(pts/|tty|console).*");
        } catch (IOException e) {
            return false; // no Linux: better no bar than one in a file
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
