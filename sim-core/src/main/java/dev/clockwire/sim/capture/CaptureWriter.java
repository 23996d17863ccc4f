package dev.clockwire.sim.capture;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A capture file in the making. It has a temporary name beside its target until {@link #commit()}; closing without a commit
 * leaves nothing behind. Little-endian, whatever the machine, so that equal runs leave equal files.
 */
public abstract sealed class CaptureWriter implements AutoCloseable permits PcapWriter, PcapngWriter {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path target;
    private final Path partial;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    CaptureWriter(Path target) {
        this.target = target;
        this.partial = target.resolveSibling("." + target.getFileName() + ".partial");
        try {
            channel = FileChannel.open(
                    partial, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private ConfigurationException unwritable(IOException e) {
        return new ConfigurationException(
                target + ": cannot be written: " + e.getClass().getSimpleName() + ": " + e.getMessage());
    }

    /** Returns the buffer with room for a number of bytes, at most 64 KiB. */
    final ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            flush();
        }
        return buffer;
    }

    /** Writes bytes of any length. */
    final void put(byte[] data, int off, int len) {
        int done = 0;
        while (done < len) {
            int part = Math.min(room(1).remaining(), len - done);
            buffer.put(data, off + done, part);
            done += part;
        }
    }

    private void flush() {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        buffer.clear();
    }

    /**
     * Completes the file and gives it its name; a file that has the name already is replaced.
     *
     * @throws ConfigurationException if the file cannot be written
     */
    public final void commit() {
        flush();
        try {
            channel.close();
            Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Removes the file unless it was committed. */
    @Override
    public final void close() {
        try {
            channel.close();
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }
}
