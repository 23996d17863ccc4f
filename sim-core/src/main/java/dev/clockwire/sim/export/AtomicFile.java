package dev.clockwire.sim.export;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file in the making. It has a temporary name beside its target until {@link #commit}; closing without a commit leaves
 * nothing behind, and an older file of that name as it was. A link is followed. What is no regular file (a device, a pipe) is
 * never replaced: it is written to as the bytes come.
 */
public final class AtomicFile implements AutoCloseable {
    private final Path target;
    /** The target itself if that is no regular file. */
    private final Path partial;

    private final Path place;
    private final OutputStream stream;
    private final Writer writer;

    /**
     * Starts a file.
     *
     * @throws ConfigurationException if it cannot be written
     */
    public AtomicFile(Path target) {
        this.target = target;
        try {
            place = Files.exists(target) ? target.toRealPath() : target;
            boolean special = Files.exists(place) && !Files.isRegularFile(place) && !Files.isDirectory(place);
            partial = special ? place : place.resolveSibling("." + place.getFileName() + ".partial");
            stream = new BufferedOutputStream(Files.newOutputStream(partial), 1 << 16);
        } catch (IOException e) {
            throw unwritable(target, e);
        }
        writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 16);
    }

    /** Writes one piece of text as a whole file. */
    public static void write(Path target, String text) {
        try (AtomicFile file = new AtomicFile(target)) {
            file.print(text);
            file.commit();
        }
    }

    /** Returns where bytes go; not to be mixed with {@link #writer}. */
    public OutputStream stream() {
        return stream;
    }

    /** Returns where text goes, in UTF-8; not to be mixed with {@link #stream}. */
    public Writer writer() {
        return writer;
    }

    /** Writes text to {@link #writer}. */
    public void print(String text) {
        try {
            writer.write(text);
        } catch (IOException e) {
            throw unwritable(target, e);
        }
    }

    /** Writes bytes to {@link #stream}. */
    public void write(byte[] data, int off, int len) {
        try {
            stream.write(data, off, len);
        } catch (IOException e) {
            throw unwritable(target, e);
        }
    }

    /** Completes the file and gives it its name; a file that has the name already is replaced. */
    public void commit() {
        try {
            writer.close();
            if (!partial.equals(place)) {
                Files.move(partial, place, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw unwritable(target, e);
        }
    }

    /** Removes the file unless it was committed. */
    @Override
    public void close() {
        try {
            try {
                writer.close();
            } finally {
                if (!partial.equals(place)) {
                    Files.deleteIfExists(partial); // also when what was buffered no longer fits on the disk
                }
            }
        } catch (IOException e) {
            throw unwritable(target, e);
        }
    }

    /** Returns the error that names a file and why it cannot be written. */
    static ConfigurationException unwritable(Object target, IOException e) {
        return new ConfigurationException(
                target + ": cannot be written: " + e.getClass().getSimpleName() + ": " + e.getMessage());
    }
}
