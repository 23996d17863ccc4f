package dev.clockwire.bench.nvmf;

import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Blocks in a file that survives the run: block 0 at its beginning, as an image of a disk. It is as long as the last block that was written needs;
 * what lies behind its end reads as zeros.
 */
public final class FileStore implements BlockStore, AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final RandomAccessFile file;
    private final Path path;
    private final int blockBytes;
    private final long blocks;
    private byte[] buffer = new byte[CHUNK];

    /**
     * Opens the file, or makes it.
     *
     * @throws ConfigurationException if it cannot be used, or is longer than the blocks are
     */
    public FileStore(Path path, int blockBytes, long blocks) {
        this.path = path;
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        try {
            file = new RandomAccessFile(path.toFile(), "rw");
            if (file.length() > blocks * blockBytes) {
                long bytes = file.length();
                file.close();
                throw new ConfigurationException(
                        "image " + path + " has " + bytes + " B, the namespace " + blocks * blockBytes);
            }
        } catch (IOException e) {
            throw broken("cannot be opened", e);
        }
    }

    private ConfigurationException broken(String what, IOException e) {
        ConfigurationException c = new ConfigurationException("image " + path + " " + what + ": " + e.getMessage());
        c.initCause(e);
        return c;
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blocks() {
        return blocks;
    }

    private byte[] buffer(int bytes) {
        if (buffer.length < bytes) {
            buffer = new byte[bytes];
        }
        return buffer;
    }

    @Override
    public void read(long slba, int count, Payload into) {
        int bytes = count * blockBytes;
        byte[] b = buffer(bytes);
        try {
            int there = (int) Math.max(0, Math.min(bytes, file.length() - slba * blockBytes));
            Arrays.fill(b, there, bytes, (byte) 0);
            if (there > 0) {
                file.seek(slba * blockBytes);
                file.readFully(b, 0, there);
            }
        } catch (EOFException e) {
            throw broken("has become shorter", e);
        } catch (IOException e) {
            throw broken("cannot be read", e);
        }
        into.appendBytes(b, 0, bytes);
    }

    @Override
    public void write(long slba, int count, Payload from, int off) {
        if (!from.isBytes()) {
            throw new ConfigurationException("image " + path + " takes bytes, not sizes: --payload bytes");
        }
        try {
            file.seek(slba * blockBytes);
            file.write(from.array(), off, count * blockBytes);
        } catch (IOException e) {
            throw broken("cannot be written", e);
        }
    }

    @Override
    public void zero(long slba, long count) {
        try {
            long at = slba * blockBytes;
            long end = Math.min(file.length(), at + count * blockBytes); // behind its end there are zeros
            byte[] b = buffer(CHUNK);
            Arrays.fill(b, 0, CHUNK, (byte) 0);
            for (file.seek(at); at < end; at += CHUNK) {
                file.write(b, 0, (int) Math.min(CHUNK, end - at));
            }
        } catch (IOException e) {
            throw broken("cannot be written", e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw broken("cannot be closed", e);
        }
    }
}
