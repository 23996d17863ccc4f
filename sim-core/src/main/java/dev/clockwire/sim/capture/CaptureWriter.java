package dev.clockwire.sim.capture;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.export.AtomicFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A capture file in the making. It has a temporary name beside its target until {@link #commit()}; closing without a commit
 * leaves nothing behind. Little-endian, whatever the machine, so that equal runs leave equal files.
 */
public abstract sealed class CaptureWriter implements AutoCloseable permits PcapWriter, PcapngWriter {
    private static final int BUFFER_BYTES = 1 << 16;

    private final AtomicFile file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    CaptureWriter(Path target) {
        file = new AtomicFile(target);
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
        file.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    /**
     * Completes the file and gives it its name; a file that has the name already is replaced.
     *
     * @throws ConfigurationException if the file cannot be written
     */
    public final void commit() {
        flush();
        file.commit();
    }

    /** Removes the file unless it was committed. */
    @Override
    public final void close() {
        file.close();
    }
}
