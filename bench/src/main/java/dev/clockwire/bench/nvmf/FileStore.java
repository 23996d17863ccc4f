package dev.clockwire.bench.nvmf;

import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Blocks in a file that survives the run: block 0 at its beginning, as an image of a disk. The file is as long as the blocks are together, with
 * holes where nothing was written.
 */
public final class FileStore implements BlockStore, AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final RandomAccessFile file;
    private final Path path;
    private final int blockBytes;
    private final long blocks;
    private byte[] buffer = new byte[CHUNK];

    /**
     * Opens the file, or makes it. One that is there has the length of the blocks, or is empty: any other is no image of them, and stays as it is.
     *
     * @throws ConfigurationException if it cannot be used, or has another length
     */
    public FileStore(Path path, int blockBytes, long blocks) {
        this.path = path;
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        long bytes = blocks * blockBytes;
        try {
            if (Files.exists(path)) {
                check(bytes);
            }
            file = new RandomAccessFile(path.toFile(), "rw");
            if (file.length() == 0) {
                file.setLength(bytes);
            }
        } catch (IOException e) {
            throw broken("cannot be opened", e);
        }
    }

    /** Looks at a file before it is opened to be written. */
    private void check(long bytes) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new ConfigurationException("image " + path + " is no regular file");
        }
        long there = Files.size(path);
        if (there != 0 && there != bytes) {
            throw new ConfigurationException("image " + path + " has " + there + " B, the namespace " + bytes
                    + ": it is no image of this namespace, and stays as it is");
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
            file.seek(slba * blockBytes);
            file.readFully(b, 0, bytes);
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
            long end = (slba + count) * blockBytes;
            byte[] b = buffer(CHUNK);
            for (long at = slba * blockBytes; at < end; at += CHUNK) {
                int n = (int) Math.min(CHUNK, end - at);
                file.seek(at);
                file.readFully(b, 0, n);
                if (!isZero(b, n)) { // a hole stays one
                    Arrays.fill(b, 0, n, (byte) 0);
                    file.seek(at);
                    file.write(b, 0, n);
                }
            }
        } catch (IOException e) {
            throw broken("cannot be written", e);
        }
    }

    private static boolean isZero(byte[] b, int n) {
        for (int i = 0; i < n; i++) {
            if (b[i] != 0) {
                return false;
            }
        }
        return true;
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
