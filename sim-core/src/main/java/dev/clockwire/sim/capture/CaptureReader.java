package dev.clockwire.sim.capture;

import dev.clockwire.sim.error.ConfigurationException;
import java.nio.file.Path;

/**
 * Reads the records of a pcap or pcapng file one after the other:
 *
 * <pre>{@code
 * try (CaptureReader reader = CaptureReader.open(file)) {
 *     while (reader.next()) {
 *         handle(reader.data(), reader.length());
 *     }
 * }
 * }</pre>
 *
 * The buffer is reused. Whatever the file holds, each call ends, and what is wrong is a {@link ConfigurationException} with
 * file and offset.
 */
public abstract sealed class CaptureReader implements AutoCloseable permits PcapReader, PcapngReader {
    /** The link type of Ethernet frames. */
    public static final int ETHERNET = 1;

    final CaptureSource source;
    long number;
    long ns;
    int linkType;
    int dataOffset;
    int length;
    long originalLength;
    long recordOffset;

    CaptureReader(CaptureSource source) {
        this.source = source;
    }

    /**
     * Opens a capture; the first bytes tell which format and byte order it has.
     *
     * @throws ConfigurationException if the file cannot be read or is no capture
     */
    public static CaptureReader open(Path file) {
        CaptureSource source = CaptureSource.open(file);
        try {
            int got = source.readUpTo(4);
            if (got == 0) {
                throw source.error(0, "expected a pcap or pcapng file, found an empty one");
            }
            int magic = got < 4 ? 0 : source.view().getInt(0);
            if (magic == PcapngReader.SECTION_HEADER) {
                return new PcapngReader(source);
            }
            if (PcapReader.knows(magic)) {
                return new PcapReader(source, magic);
            }
            throw source.error(
                    0, "expected the magic number of a pcap or pcapng file, found " + hex(source.data(), got));
        } catch (ConfigurationException e) {
            source.close();
            throw e;
        }
    }

    private static String hex(byte[] bytes, int length) {
        StringBuilder text = new StringBuilder("0x");
        for (int i = 0; i < length; i++) {
            text.append(Character.forDigit((bytes[i] >> 4) & 0xF, 16)).append(Character.forDigit(bytes[i] & 0xF, 16));
        }
        return text.toString();
    }

    /**
     * Goes to the next record; false at the end of the file.
     *
     * @throws ConfigurationException if the file is damaged or ends inside a record
     */
    public final boolean next() {
        if (!advance()) {
            return false;
        }
        number++;
        return true;
    }

    /** Reads the next record into the fields; false at the end of the file. */
    abstract boolean advance();

    /** Returns the number of the record; the first is 1. */
    public final long number() {
        return number;
    }

    /** Returns the record's time in nanoseconds since the capture's epoch; 0 if it has none. */
    public final long ns() {
        return ns;
    }

    /** Returns the link type of the record's interface; {@link #ETHERNET} for Ethernet. */
    public final int linkType() {
        return linkType;
    }

    /** Returns the buffer that holds the record's bytes from {@link #dataOffset()} on; valid until the next record. */
    public final byte[] data() {
        return source.data();
    }

    /** Returns where in {@link #data()} the record's bytes start. */
    public final int dataOffset() {
        return dataOffset;
    }

    /** Returns how many bytes were captured. */
    public final int length() {
        return length;
    }

    /** Returns how many bytes the frame had; more than {@link #length()} if only its beginning was kept. */
    public final long originalLength() {
        return originalLength;
    }

    /** Returns where in the file the record starts. */
    public final long recordOffset() {
        return recordOffset;
    }

    @Override
    public final void close() {
        source.close();
    }
}
