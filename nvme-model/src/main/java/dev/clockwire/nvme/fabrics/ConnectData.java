package dev.clockwire.nvme.fabrics;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.sim.error.ConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The 1024 bytes that come with a Connect.
 *
 * @param hostIdHigh first half of the host's identifier, as a number of its bytes
 * @param hostIdLow second half
 * @param controller the controller that the queue belongs to, {@link #ANY} for an admin queue
 * @param subsystem name of the subsystem, up to 223 bytes
 * @param host name of the host, up to 223 bytes
 */
public record ConnectData(long hostIdHigh, long hostIdLow, int controller, String subsystem, String host) {
    /** Size in bytes. */
    public static final int BYTES = 1024;
    /** A controller that the target chooses. */
    public static final int ANY = 0xFFFF;
    /** Where the controller stands; errors name it. */
    public static final int CONTROLLER_AT = 16;
    /** Where the name of the subsystem stands. */
    public static final int SUBSYSTEM_AT = 256;
    /** Where the name of the host stands. */
    public static final int HOST_AT = 512;

    private static final int NAME = 256;
    private static final int LONGEST = 223;

    /** Checks the lengths. */
    public ConnectData {
        requireName("subsystem", subsystem);
        requireName("host", host);
    }

    private static void requireName(String whose, String name) {
        int length = name.getBytes(StandardCharsets.ISO_8859_1).length;
        if (length > LONGEST) {
            throw new ConfigurationException("NQN of a " + whose + " of " + length + " bytes: at most " + LONGEST);
        }
    }

    /** Writes the data; bytes between fields stay zero. */
    public void store(byte[] to, int at) {
        LittleEndian.put64(to, at, hostIdHigh);
        LittleEndian.put64(to, at + 8, hostIdLow);
        LittleEndian.put16(to, at + CONTROLLER_AT, controller);
        text(to, at + SUBSYSTEM_AT, subsystem);
        text(to, at + HOST_AT, host);
    }

    private static void text(byte[] to, int at, String name) {
        byte[] b = name.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(b, 0, to, at, b.length);
    }

    /** Reads the data; empty if there are not enough bytes, or a name does not end. */
    public static Optional<ConnectData> load(byte[] from, int at, int length) {
        if (length < BYTES) {
            return Optional.empty();
        }
        String subsystem = name(from, at + SUBSYSTEM_AT);
        String host = name(from, at + HOST_AT);
        if (subsystem.length() > LONGEST || host.length() > LONGEST) {
            return Optional.empty();
        }
        return Optional.of(new ConnectData(
                LittleEndian.get64(from, at),
                LittleEndian.get64(from, at + 8),
                LittleEndian.get16(from, at + CONTROLLER_AT),
                subsystem,
                host));
    }

    /** Returns a name as one character for each byte, longer than any name if it does not end. */
    private static String name(byte[] from, int at) {
        int n = 0;
        while (n < NAME && from[at + n] != 0) {
            n++;
        }
        return new String(from, at, n, StandardCharsets.ISO_8859_1);
    }
}
