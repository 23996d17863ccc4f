package dev.clockwire.sim.capture;

import dev.clockwire.sim.error.InvariantViolation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes pcapng with nanoseconds: one section, any number of Ethernet interfaces, enhanced packet blocks. The file holds no
 * date, host or path.
 */
public final class PcapngWriter extends CaptureWriter {
    private static final int INTERFACE = 1;
    private static final int ENHANCED_PACKET = 6;
    private static final int OPTION_COMMENT = 1;
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_INTERFACE_NAME = 2;
    private static final int OPTION_TIME_RESOLUTION = 9;
    private static final int NANOSECONDS = 9;
    private static final int LONGEST_OPTION = 32_000;

    private int interfaces;

    private PcapngWriter(Path target, String application, String comment) {
        super(target);
        byte[] by = text(application);
        byte[] about = text(comment);
        int length = 28 + optionBytes(about) + optionBytes(by) + 4;
        room(24).putInt(PcapngReader.SECTION_HEADER)
                .putInt(length)
                .putInt(0x1A2B3C4D)
                .putShort((short) 1)
                .putShort((short) 0)
                .putLong(-1); // the section's length is not given
        option(OPTION_COMMENT, about);
        option(OPTION_APPLICATION, by);
        room(8).putInt(0).putInt(length);
    }

    /**
     * Starts a file.
     *
     * @param application what made the file, shown by capture tools
     * @param comment of the whole file: the command that makes it again
     * @throws dev.clockwire.sim.error.ConfigurationException if nothing can be written there
     */
    public static PcapngWriter create(Path target, String application, String comment) {
        return new PcapngWriter(target, application, comment);
    }

    /** Adds an Ethernet interface, at any time before its first record, and returns its number. */
    public int addInterface(String name) {
        byte[] bytes = text(name);
        int length = 20 + optionBytes(bytes) + 8 + 4;
        room(16).putInt(INTERFACE)
                .putInt(length)
                .putShort((short) CaptureReader.ETHERNET)
                .putShort((short) 0)
                .putInt(0); // no limit of the captured length
        option(OPTION_INTERFACE_NAME, bytes);
        ByteBuffer rest = room(16);
        rest.putShort((short) OPTION_TIME_RESOLUTION).putShort((short) 1).putInt(NANOSECONDS);
        rest.putInt(0).putInt(length);
        return interfaces++;
    }

    /**
     * Appends a record.
     *
     * @param port the number of the interface
     * @param ps time in picoseconds, rounded down to nanoseconds
     * @param data holds the bytes to keep, {@code len} of them from {@code off} on
     * @param originalLength the frame's length in bytes, at least {@code len}
     */
    public void write(int port, long ps, byte[] data, int off, int len, long originalLength) {
        if (port < 0 || port >= interfaces) {
            throw new InvariantViolation("interface " + port + ", there are " + interfaces);
        }
        int padding = -len & 3;
        int length = 32 + len + padding;
        long ns = Math.floorDiv(ps, 1000L);
        room(28).putInt(ENHANCED_PACKET)
                .putInt(length)
                .putInt(port)
                .putInt((int) (ns >>> 32))
                .putInt((int) ns)
                .putInt(len)
                .putInt((int) originalLength);
        put(data, off, len);
        pad(padding).putInt(length);
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= LONGEST_OPTION ? bytes : java.util.Arrays.copyOf(bytes, LONGEST_OPTION);
    }

    private static int optionBytes(byte[] value) {
        return value.length == 0 ? 0 : 4 + ((value.length + 3) & ~3);
    }

    private void option(int code, byte[] value) {
        if (value.length > 0) {
            room(4).putShort((short) code).putShort((short) value.length);
            put(value, 0, value.length);
            pad(-value.length & 3);
        }
    }

    private ByteBuffer pad(int bytes) {
        ByteBuffer to = room(8);
        for (int i = 0; i < bytes; i++) {
            to.put((byte) 0);
        }
        return to;
    }
}
