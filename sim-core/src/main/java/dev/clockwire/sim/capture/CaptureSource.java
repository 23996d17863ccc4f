package dev.clockwire.sim.capture;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file read once from front to back. Every error names the file and the offset. Memory grows with the bytes that are really
 * there, never with what a length field claims.
 */
final class CaptureSource implements AutoCloseable {
    /** Longest record or block that is loaded, in bytes: 64 times the longest frame that capture tools keep. */
    static final int LONGEST = 16 << 20;

    private static final int STEP = 1 << 16;

    private final Path file;
    private final InputStream in;
    private long offset;
    private byte[] data = new byte[STEP];
    private ByteBuffer view = ByteBuffer.wrap(data);
    private ByteOrder order = ByteOrder.BIG_ENDIAN;

    private CaptureSource(Path file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    static CaptureSource open(Path file) {
        if (Files.isDirectory(file)) {
            throw new ConfigurationException(
                    (file.toString().isEmpty() ? "''" : file) + ": is a directory, expected a pcap or pcapng file");
        }
        try {
            return new CaptureSource(file, new BufferedInputStream(Files.newInputStream(file), STEP));
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(file + ": no such file");
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static ConfigurationException unreadable(Path file, IOException e) {
        return new ConfigurationException(file + ": cannot be read: " + e.getMessage());
    }

    /** Returns the offset of the next byte. */
    long offset() {
        return offset;
    }

    /** Chooses the byte order of {@link #view} from now on. */
    void order(ByteOrder newOrder) {
        order = newOrder;
        view.order(newOrder);
    }

    ByteOrder order() {
        return order;
    }

    /** Returns the bytes that the last {@link #read} brought, from index 0 on; valid until the next one. */
    byte[] data() {
        return data;
    }

    /** Returns the same bytes for reading numbers, in the byte order chosen. */
    ByteBuffer view() {
        return view;
    }

    /**
     * Reads up to {@code length} bytes to the front of {@link #data} and returns how many there were; fewer only at the end of
     * the file.
     */
    int readUpTo(int length) {
        return fill(0, length);
    }

    /** Reads exactly {@code length} bytes to the front of {@link #data}. */
    void read(int length, String what) {
        readBehind(0, length, what);
    }

    /** Reads exactly {@code length} bytes behind the first {@code have} bytes of {@link #data}. */
    void readBehind(int have, int length, String what) {
        long start = offset;
        int got = fill(have, have + length) - have;
        if (got < length) {
            throw error(start, what + " of " + length + " bytes is cut: the file ends after " + got);
        }
    }

    private int fill(int have, int length) {
        int got = have;
        try {
            while (got < length) {
                if (got == data.length) {
                    data = Arrays.copyOf(data, Math.min(length, data.length * 2));
                    view = ByteBuffer.wrap(data).order(order);
                }
                int n = in.read(data, got, Math.min(length, data.length) - got);
                if (n < 0) {
                    break;
                }
                got += n;
                offset += n;
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        return got;
    }

    /** Passes over bytes without keeping them. */
    void skip(long length, String what) {
        long start = offset;
        long left = length;
        while (left > 0) {
            int n = fill(0, (int) Math.min(left, STEP));
            if (n == 0) {
                throw error(start, what + " of " + length + " bytes is cut: the file ends after " + (length - left));
            }
            left -= n;
        }
    }

    /** Returns the exception for something wrong at an offset. */
    ConfigurationException error(long at, String text) {
        return new ConfigurationException(file + ": offset " + at + ": " + text);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }
}
