package dev.clockwire.nvme.fabrics;

import dev.clockwire.nvme.format.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Log page 70h: which subsystems there are, and where.
 *
 * @param generation changes with the content
 */
public record DiscoveryLog(long generation, List<Entry> entries) {
    /** Number of the log page. */
    public static final int PAGE = 0x70;
    /** Name of the discovery subsystem. */
    public static final String NQN = "nqn.2014-08.org.nvmexpress.discovery";
    /** Kind: an NVM subsystem. */
    public static final int NVM = 2;
    /** Kind: the discovery subsystem itself. */
    public static final int CURRENT = 3;

    private static final int RECORD = 1024;
    private static final int RDMA = 1;
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final int SERVICE = 32;
    private static final int SUBSYSTEM = 256;
    private static final int ADDRESS = 512;
    private static final int SPECIFIC = 768;
    private static final int NAME = 256;

    /** Copies the entries. */
    public DiscoveryLog {
        entries = List.copyOf(entries);
    }

    /**
     * A subsystem at an address.
     *
     * @param kind {@link #NVM} or {@link #CURRENT}
     * @param port identifier of the port
     * @param adminEntries of the admin queue
     * @param service UDP or TCP port, in digits
     * @param address IPv4 or IPv6, in text
     */
    public record Entry(int kind, int port, int adminEntries, String service, String subsystem, String address) {}

    /** Returns the page, as much as there is. */
    public byte[] page() {
        byte[] b = new byte[RECORD * (1 + entries.size())];
        LittleEndian.put64(b, 0, generation);
        LittleEndian.put64(b, 8, entries.size());
        for (int i = 0; i < entries.size(); i++) {
            put(b, RECORD * (1 + i), entries.get(i));
        }
        return b;
    }

    private static void put(byte[] b, int at, Entry e) {
        LittleEndian.put8(b, at, RDMA);
        LittleEndian.put8(b, at + 1, e.address.indexOf(':') >= 0 ? IPV6 : IPV4);
        LittleEndian.put8(b, at + 2, e.kind);
        LittleEndian.put16(b, at + 4, e.port);
        LittleEndian.put16(b, at + 6, ConnectData.ANY);
        LittleEndian.put16(b, at + 8, e.adminEntries);
        text(b, at + SERVICE, SERVICE, e.service, ' ');
        text(b, at + SUBSYSTEM, NAME, e.subsystem, '\0');
        text(b, at + ADDRESS, NAME, e.address, ' ');
        b[at + SPECIFIC] = 1; // reliable connected
        b[at + SPECIFIC + 1] = 4; // RoCE version 2
        b[at + SPECIFIC + 2] = 1; // connection manager
    }

    private static void text(byte[] b, int at, int length, String text, char rest) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int n = Math.min(length, bytes.length);
        System.arraycopy(bytes, 0, b, at, n);
        Arrays.fill(b, at + n, at + length, (byte) rest);
    }

    /** Reads as many entries as there are bytes for; empty if there is not even a header. */
    public static Optional<DiscoveryLog> load(byte[] b, int length) {
        if (length < RECORD) {
            return Optional.empty();
        }
        List<Entry> entries = new ArrayList<>();
        long told = LittleEndian.get64(b, 8);
        for (int at = RECORD; at + RECORD <= length && entries.size() < told; at += RECORD) {
            entries.add(new Entry(
                    LittleEndian.get8(b, at + 2),
                    LittleEndian.get16(b, at + 4),
                    LittleEndian.get16(b, at + 8),
                    text(b, at + SERVICE, SERVICE),
                    text(b, at + SUBSYSTEM, NAME),
                    text(b, at + ADDRESS, NAME)));
        }
        return Optional.of(new DiscoveryLog(LittleEndian.get64(b, 0), entries));
    }

    private static String text(byte[] b, int at, int length) {
        int n = 0;
        while (n < length && b[at + n] != 0) {
            n++;
        }
        return new String(b, at, n, StandardCharsets.ISO_8859_1).stripTrailing();
    }
}
